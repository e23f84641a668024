import { once } from '@campus/engine/base/once'
import type { Part, PartRoute } from '@campus/intranet/server/part'

const PAGES = ['/apidoc', '/apidoc/search', '/apidoc/callback', '/apidoc/*', '/apidoc.md', '/llms.txt']
const DOCUMENTS = ['/apidoc/openapi.json', '/apidoc/openapi.yaml']
const ASSETS = ['reference.css', 'small.js', 'asking.js', 'token.js', 'reference.js']

const ROUTES: readonly PartRoute[] = [
  ...ASSETS.map((name) => ({ path: `/apidoc/assets/${name}`, config: { compresses: true, isAsset: true } })),
  ...[...DOCUMENTS, ...PAGES].map((path) => ({ path, config: { compresses: true } })),
].map((route) => ({ method: 'GET', ...route }))

export const part: Part = {
  name: 'reference',
  routes: {
    declared: ROUTES,
    async open(mounting) {
      const load = once(async () => (await import('./routes.ts')).referenceRoutes(mounting))
      return { load, guides: async () => (await load()).site() }
    },
  },
  pages: async () => (await import('./console/index.ts')).CONSOLE_PAGES,
}
