import type { Answering } from '@campus/intranet/server/part'
import { sendDrawing } from '@campus/intranet/services/attachments/svg-pictures'
import { draw } from './drawings.ts'

/** Every name has a drawing, so they do not reveal which users exist. Nothing is stored or looked up. */
export const DRAWINGS: Answering = {
  async answer({ params }, reply) {
    const { kind = '', name = '' } = Object(params)
    return sendDrawing(reply, String(name), (record) => draw(String(kind), record))
  },
}
