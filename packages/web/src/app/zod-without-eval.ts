/**
 * zod compiles its schemas with `new Function` where it may. The page's policy forbids that, and every try is
 * reported as a violation: so it is told before any schema is made. Imported before everything else.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
