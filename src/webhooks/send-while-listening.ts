import type { FastifyInstance } from 'fastify'
import type { DeliverySender } from './send-deliveries.ts'

/** Sends deliveries while the server listens. When it stops, no more are begun, and it waits for those that run. */
export function sendWhileListening(app: FastifyInstance, sender: DeliverySender): void {
  app.addHook('onListen', async () => sender.start())
  app.addHook('preClose', async () => sender.pause())
  app.addHook('onClose', async () => sender.stop())
}
