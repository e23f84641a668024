import type { Hmac } from 'node:crypto'
import { sql } from 'kysely'
import { message } from '../../base/languages/say.ts'
import type { Handle } from '../../database/database.ts'
import { deleteInBatches } from '../../database/in-batches.ts'
import { HttpError, malformed } from '../../errors.ts'
import type { Caller } from '../../http/caller.ts'
import { UploadedFile } from '../../http/uploaded-file.ts'
import type { IdempotentRequest } from '../action-request.ts'
import type { Answer } from '../answer.ts'
import type { StartHash } from '../engine.ts'
import type { RequestContext } from '../request-context.ts'

const MAX_KEY_LENGTH = 255
const HEADER = { header: 'Idempotency-Key' }
export const STORED_HOURS = 24
const HOUR_MS = 3_600_000

type StoredAnswer = {
  readonly fingerprint: Buffer
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Only keyed digests of key and body are stored, since a plain digest would allow guessing a password. */
export function readIdempotencyKey(
  key: string,
  { application, resourceOwnerId }: Pick<Caller, 'application' | 'resourceOwnerId'>,
  request: readonly unknown[],
  startHash: StartHash,
): IdempotentRequest {
  if (key.length === 0 || key.length > MAX_KEY_LENGTH) {
    throw malformed(
      message('Idempotency-Key must have from 1 to {most} characters.', { most: MAX_KEY_LENGTH }),
      undefined,
      HEADER,
    )
  }
  return {
    digest: startHash()
      .update(`key ${application.id} ${resourceOwnerId ?? 'itself'} ${key}`)
      .digest(),
    fingerprint: fingerprintOf(startHash().update('request '), request),
  }
}

/** Not recursive, since clients decide how deep a body is nested. */
function fingerprintOf(digest: Hmac, request: unknown): Buffer {
  const left = [request]
  while (left.length > 0) {
    const value = left.pop()
    if (value instanceof Uint8Array) digest.update(`bytes ${value.length} `).update(value)
    else if (value instanceof UploadedFile) left.push(value.toJSON())
    else if (typeof value === 'object' && value !== null) {
      const members = Object.entries(value).flat()
      digest.update(`${Array.isArray(value) ? 'list' : 'object'} ${members.length} `)
      for (let at = members.length - 1; at >= 0; at -= 1) left.push(members[at])
    } else digest.update(`${JSON.stringify(value)} `)
  }
  return digest.digest()
}

/**
 * Replays the response for a day (spec: writing 14). The key is stored in the transaction of the write. Throws 409
 * while the first request is running, and 422 if the key comes with another request.
 */
export async function answerOnce(
  { handle: tx, now }: Pick<RequestContext, 'handle' | 'now'>,
  request: IdempotentRequest,
  perform: () => Promise<Answer>,
): Promise<Answer> {
  const [lock] = await tx.rows('select pg_try_advisory_xact_lock($1::bigint)', [request.digest.readBigInt64BE(0)])
  if (lock?.[0] !== 't')
    throw new HttpError(409, 'A request with this Idempotency-Key is still running; please try again.', {
      source: HEADER,
    })
  const { kysely } = tx
  const oldest = new Date(now.getTime() - STORED_HOURS * HOUR_MS)
  const {
    rows: [known],
  } = await sql<StoredAnswer>`
    select fingerprint, status, headers, body from idempotency_keys
    where digest = ${request.digest} and created_at > ${oldest}`.execute(kysely)
  if (known) {
    if (!known.fingerprint.equals(request.fingerprint)) {
      throw new HttpError(422, 'This Idempotency-Key was used with another request.', {
        errors: { base: ['Idempotency-Key was used with another request'] },
      })
    }
    const headers = { ...known.headers, 'idempotent-replayed': 'true' }
    return { status: known.status, headers, ...(known.body === '' ? {} : { body: known.body }) }
  }
  const answer = await perform()
  await sql`
    insert into idempotency_keys (digest, fingerprint, status, headers, body, created_at)
    values (${request.digest}, ${request.fingerprint}, ${answer.status}, ${JSON.stringify(answer.headers)},
      ${answer.remembered ?? answer.body ?? ''}, ${now})
    on conflict (digest) do update set fingerprint = excluded.fingerprint, status = excluded.status,
      headers = excluded.headers, body = excluded.body, created_at = excluded.created_at`.execute(kysely)
  return answer
}

export const deleteOldResponses = (handle: Pick<Handle, 'kysely'>, now: Date): Promise<number> =>
  deleteInBatches(handle, 'idempotency_keys', sql`created_at < ${new Date(now.getTime() - STORED_HOURS * HOUR_MS)}`)
