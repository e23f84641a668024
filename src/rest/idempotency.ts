import { createHmac, hash } from 'node:crypto'
import type { Handle } from '../database/database.ts'
import { malformed, Refusal } from '../errors.ts'
import type { Answer } from './answer.ts'

/** A POST that the client may repeat without repeating what it does. */
export type IdempotentRequest = { readonly digest: Buffer; readonly fingerprint: Buffer }

const MAX_KEY_LENGTH = 255
const HEADER = { header: 'Idempotency-Key' }
export const KEPT_HOURS = 24

/**
 * Reads an `Idempotency-Key`. Neither key nor body is kept: the key only as a digest, the body as a keyed one,
 * since it may hold a password.
 */
export function readIdempotencyKey(
  key: string | undefined,
  applicationId: number,
  request: readonly unknown[],
): IdempotentRequest | undefined {
  if (key === undefined) return undefined
  if (key.length === 0 || key.length > MAX_KEY_LENGTH) {
    throw malformed(`Idempotency-Key must have from 1 to ${MAX_KEY_LENGTH} characters.`, undefined, HEADER)
  }
  return {
    digest: hash('sha256', `${applicationId} ${key}`, 'buffer'),
    fingerprint: createHmac('sha256', key).update(textOf(request)).digest(),
  }
}

function textOf(request: readonly unknown[]): string {
  try {
    return JSON.stringify(request)
  } catch {
    throw malformed('The body is nested too deeply.')
  }
}

/**
 * Answers the first response again when the same request comes with the same key within a day (decisions §2).
 * The key is stored in the transaction of the write; a refused write stores none. Throws 409 while the first one
 * is still running and 422 when the key comes with another request.
 */
export async function answerOnce(
  tx: Handle,
  now: Date,
  request: IdempotentRequest | undefined,
  perform: () => Promise<Answer>,
): Promise<Answer> {
  if (!request) return perform()
  const [lock] = await tx.rows('select pg_try_advisory_xact_lock($1::bigint)', [request.digest.readBigInt64BE(0)])
  if (lock?.[0] !== 't')
    throw new Refusal(409, 'A request with this Idempotency-Key is still running; please try again.', {
      source: HEADER,
    })
  const { kysely } = tx
  const oldest = new Date(now.getTime() - KEPT_HOURS * 3_600_000)
  const known = await kysely
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('digest', '=', request.digest)
    .where('created_at', '>', oldest)
    .executeTakeFirst()
  if (known) {
    if (!known.fingerprint.equals(request.fingerprint)) {
      throw new Refusal(422, 'This Idempotency-Key was used with another request.', {
        errors: { base: ['Idempotency-Key was used with another request'] },
      })
    }
    return { status: known.status, headers: { ...known.headers, 'idempotent-replayed': 'true' }, body: known.body }
  }
  const answer = await perform()
  const row = {
    digest: request.digest,
    fingerprint: request.fingerprint,
    status: answer.status,
    headers: JSON.stringify(answer.headers),
    body: answer.body ?? '',
    created_at: now,
  }
  await kysely
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) => conflict.column('digest').doUpdateSet(row))
    .execute()
  return answer
}
