import { defaultClientConditions, defineConfig } from 'vite'

export default defineConfig({
  // Every address in the page is relative: it can stand anywhere.
  base: './',
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
