import { sendDrawing } from '@campus/intranet/services/attachments/svg-pictures'
import type { FastifyInstance } from 'fastify'
import type { DrawingKind } from './drawings.ts'

export const DRAWING_ROUTE = { method: 'GET', path: '/uploads/:kind/:name' } as const

/** The address of a drawing below the service's own. It depends on the name alone. */
export const drawingPath = (kind: DrawingKind, name: string): string => `/uploads/${kind}/${name}.svg`

/**
 * Serves the drawings of the demonstration, whose code is loaded with the first of them. Every name has one, so they do
 * not reveal which users exist. Nothing is stored or looked up.
 */
export function mountDrawings(app: FastifyInstance): void {
  app.get<{ Params: { kind: string; name: string } }>(
    DRAWING_ROUTE.path,
    { config: { isAsset: true } },
    async (request, reply) => {
      const { kind, name } = request.params
      const { draw } = await import('./drawings.ts')
      return sendDrawing(reply, name, (record) => draw(kind, record))
    },
  )
}
