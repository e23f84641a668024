import { verbatim } from '@campus/engine/base/languages/say'
import { HttpError } from '@campus/engine/errors'
import Negotiator from 'negotiator'

/** Media types of answers, the preferred one first. */
const TYPES = ['application/json', 'text/event-stream'] as const

export type AnswerType = (typeof TYPES)[number]

/** Returns the media type of the answer: JSON if the client accepts it, else a stream of one event. Throws 406. */
export function answerType(request: { readonly headers: { readonly accept?: string } }): AnswerType {
  const accepted = new Negotiator(request).mediaTypes([...TYPES])
  const type = TYPES.find((known) => accepted.includes(known))
  if (type !== undefined) return type
  throw new HttpError(406, verbatim('The client must accept application/json or text/event-stream.'))
}

/** Returns the event that carries a message, whose JSON must have no line breaks. */
export const serverSentEvent = (json: Buffer): Buffer =>
  Buffer.concat([Buffer.from('event: message\ndata: '), json, Buffer.from('\n\n')])
