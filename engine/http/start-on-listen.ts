import type { FastifyInstance } from 'fastify'
import type { Stop } from '../base/stop-all.ts'

/** Starts background work when the server listens, and adds its end to `stops`, even if the server closes meanwhile. */
export function startOnListen(app: FastifyInstance, stops: Stop[], start: () => Stop | Promise<Stop>): void {
  app.addHook('onListen', async () => {
    const started = Promise.resolve().then(start)
    stops.push(async () => (await started.catch(() => undefined))?.())
    await started
  })
}
