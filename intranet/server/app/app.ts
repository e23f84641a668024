import type { FastifyInstance } from 'fastify'
import type { Dependencies, Shared } from './dependencies.ts'
import { mountApi } from './mount-api.ts'
import { mountSite } from './mount-site.ts'
import { openServices } from './open-services.ts'
import { startBackground } from './start-background.ts'

/** Mounts everything. Nothing starts before the server listens; closing the server stops all of it. */
export async function createApp(dependencies: Dependencies, shared?: Shared): Promise<FastifyInstance> {
  const services = await openServices(dependencies, shared)
  const api = await mountApi(services)
  await mountSite(services, api)
  await startBackground(services, api.engine)
  return services.app
}
