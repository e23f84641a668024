import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Message, message } from '../base/languages/say.ts'
import { type HttpError, tooManyRequests } from '../errors.ts'
import { personOf } from './caller.ts'
import { whenClosed } from './when-closed.ts'

/** Maximum number of concurrent uploads of one person through applications. Uploads on pages have the same limit again. */
export const MAX_UPLOADS = 8
/** Maximum size of these uploads together, unless the route's maximum is larger. */
const MAX_BYTES = 1_073_741_824
const TRY_AGAIN_SECONDS = 10

type Taken = { uploads: number; bytes: number }

export type OpenUpload = {
  received(bytes: number): HttpError | undefined
}

/** Counts uploads until their responses are sent. Applications count separately, so that none blocks a person's uploads on pages. */
export class OpenUploads {
  readonly #taken = new Map<string, Taken>()

  /** Counts an upload. Throws 429 if the person has too many or too large uploads. Ignores anonymous requests. */
  open(request: FastifyRequest, reply: FastifyReply, maxBodyBytes: number): OpenUpload | undefined {
    const owner = ownerOf(request)
    if (owner === undefined) return undefined
    let own = Number(request.headers['content-length'] ?? 0)
    // `readMultipart` refuses the body with 413.
    if (own > maxBodyBytes) return undefined
    const most = Math.max(maxBodyBytes, MAX_BYTES)
    const taken = this.#taken.get(owner) ?? { uploads: 0, bytes: 0 }
    if (taken.uploads >= MAX_UPLOADS)
      throw tooMany(
        message('One person may have {most} uploads at a time. Wait until others end.', { most: MAX_UPLOADS }),
      )
    if (taken.bytes + own > most) throw tooLarge(most)
    taken.uploads += 1
    taken.bytes += own
    this.#taken.set(owner, taken)
    whenClosed(reply, () => {
      taken.uploads -= 1
      taken.bytes -= own
      if (taken.uploads === 0) this.#taken.delete(owner)
    })
    return {
      received(bytes) {
        const more = Math.max(0, bytes - own)
        if (taken.bytes + more > most) return tooLarge(most)
        own += more
        taken.bytes += more
        return undefined
      },
    }
  }
}

function ownerOf({ caller, visitor }: FastifyRequest): string | undefined {
  if (caller) return `applications of ${personOf(caller)}`
  return visitor === undefined ? undefined : `pages of ${visitor}`
}

const tooLarge = (most: number) =>
  tooMany(message('The uploads of one person may have {most} bytes at a time. Wait until others end.', { most }))

const tooMany = (text: Message) => tooManyRequests(text, TRY_AGAIN_SECONDS, 'uploads')
