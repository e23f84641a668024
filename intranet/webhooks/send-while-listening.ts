import type { FastifyInstance } from 'fastify'
import type { DeliverySender } from './send-deliveries.ts'

/** Sends deliveries while the server listens. Returns the function that waits for running attempts. */
export function sendWhileListening(
  app: FastifyInstance,
  sender: Pick<DeliverySender<never, never>, 'start' | 'pause' | 'stop'>,
): () => Promise<void> {
  app.addHook('onListen', async () => sender.start())
  app.addHook('preClose', async () => sender.pause())
  return () => sender.stop()
}
