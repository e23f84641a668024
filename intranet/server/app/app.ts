import type { FastifyInstance } from 'fastify'
import type { Dependencies, Shared } from './dependencies.ts'
import { mountApi } from './mount-api.ts'
import { mountSite } from './mount-site.ts'
import { openServices } from './open-services.ts'
import { startBackground } from './start-background.ts'

/** Mounts everything. Background work starts when the server listens, and stops when it closes. */
export async function createApp(dependencies: Dependencies, shared?: Shared): Promise<FastifyInstance> {
  const services = await openServices(dependencies, shared)
  const api = await mountApi(services)
  await mountSite(services, api)
  await startBackground(services, api.engine)
  return services.app
}
