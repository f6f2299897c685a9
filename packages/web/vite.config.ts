import { defaultClientConditions, defineConfig, type Plugin } from 'vite'

/**
 * zod's schemas can tell themselves as JSON Schema, and each carries the code for it: a twelfth of what a first visit
 * would load, for what only the generator of the documents asks. What is left in its place gives nothing.
 */
const withoutJsonSchema = (): Plugin => ({
  name: 'without-json-schema',
  transform(code, id) {
    if (!/\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/.test(id)) return null
    const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
    return `const none = () => () => {}\nexport { ${names.map((name) => `none as ${name}`).join(', ')} }`
  },
})

/** What the messages' schemas say of themselves is for the generator of the documents, too. */
const withoutDescriptions = (): Plugin => ({
  name: 'without-descriptions',
  enforce: 'pre',
  transform(code, id) {
    if (!/\/protocol\/src\/[\w-]+\.ts$/.test(id)) return null
    return code.replace(/\bdescription:\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),?/g, '')
  },
})

export default defineConfig({
  // Every address in the page is relative: it can stand anywhere.
  base: './',
  plugins: [withoutJsonSchema(), withoutDescriptions()],
  resolve: { conditions: ['junqi-source', ...defaultClientConditions] },
  build: {
    outDir: 'dist/page',
    target: 'es2022',
    // A picture inside a style would need `data:` in the policy of the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/v1': { target: 'http://127.0.0.1:8080', ws: true } } },
})
