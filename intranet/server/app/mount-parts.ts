import { once } from '@campus/engine/base/once'
import type { KnownRoute } from '@campus/engine/http/known-paths'
import type { FastifyInstance } from 'fastify'
import type { PageRoute } from '../../pages/page.ts'
import { tagGroups } from '../../school/resources/declared.ts'
import type { OpenedRoutes, Part, PartRoute } from '../part.ts'
import type { mountApi } from './mount-api.ts'
import type { Services } from './open-services.ts'

type Api = Pick<Awaited<ReturnType<typeof mountApi>>, 'engine' | 'table' | 'document' | 'api'>

export const pagesOfParts = async (parts: readonly Part[]): Promise<readonly PageRoute[]> =>
  (await Promise.all(parts.map(({ pages }) => pages?.() ?? []))).flat()

/** Mounts the routes of optional parts and returns them. Their handlers load at the first request. */
export async function mountPartRoutes(
  services: Services,
  { engine: { registry }, table, document, api }: Api,
): Promise<readonly KnownRoute[]> {
  const { app, config, metrics, limits, findToken } = services
  const mounted: OpenedRoutes[] = []
  const known: KnownRoute[] = []
  const guides = () => mounted.find((one) => one.guides)?.guides
  const subjects = tagGroups()
  const mounting = { config, metrics, limits, findToken, registry, table, api, document, subjects, guides }
  for (const { routes } of services.parts) {
    if (!routes) continue
    const opened = await routes.open(mounting)
    mountOpened(app, routes.declared, opened)
    mounted.push(opened)
    known.push(...routes.declared.map(({ method, path }) => ({ method, path })))
  }
  return known
}

function mountOpened(app: FastifyInstance, routes: readonly PartRoute[], { load }: OpenedRoutes): void {
  const answering = once(load)
  app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      const { admit } = await answering()
      await admit?.(request, reply)
    })
    scope.addHook('onSend', async (_request, reply) => {
      // An error here would replace the response, with its text in the body.
      const loaded = await answering().catch(() => undefined)
      if (loaded?.headers) reply.headers(loaded.headers)
    })
    for (const { method, path: url, config = {}, bodyLimit } of routes)
      scope.route({
        method,
        url,
        config,
        ...(bodyLimit !== undefined && { bodyLimit }),
        handler: async (request, reply) => (await answering()).answer(request, reply),
      })
  })
}
