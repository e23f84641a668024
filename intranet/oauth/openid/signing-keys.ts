import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { defined } from '@campus/engine/base/defined'
import type { Handle } from '@campus/engine/database/database'
import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose'
import { sql } from 'kysely'
import { type Actor, recordAudit } from '../../services/audit/audit.ts'
import type { Sealer } from '../../services/sealing/sealer.ts'

/** Algorithms of ID tokens (RFC 7518 §3.1), the default first. */
export const SIGNING_ALGORITHMS = ['RS256', 'ES256'] as const

export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number]

export type SigningKey = { readonly kid: string; readonly alg: SigningAlgorithm; readonly key: KeyObject }

const DAY_MS = 86_400_000
/** Time for which a key signs. */
const SIGNS_DAYS = 90
/** Time for which a key is published before it signs. Programs may read keys once a week. */
const PUBLISHED_BEFORE_DAYS = 14
/** Time for which a key is published after it signed, which is the maximum lifetime of a session. */
const PUBLISHED_AFTER_DAYS = 31
/** Advisory lock against two processes that make the same key. */
const LOCK = 0x6f_69_64_63

const generate = promisify(generateKeyPair)

type Making = { readonly sealer: Sealer; readonly now: Date }

/** Returns the key that signs now. Must run in a transaction. */
export async function signingKey(tx: Handle, alg: SigningAlgorithm, making: Making): Promise<SigningKey> {
  const found = await find(tx, alg, making)
  if (found) return found
  await makeFirstKeys(tx, making)
  return defined(await find(tx, alg, making))
}

/** Makes missing keys for all algorithms at once, since programs may cache the published keys. Must run in a transaction. */
export async function makeFirstKeys(tx: Handle, making: Making): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx.kysely)
  for (const alg of SIGNING_ALGORITHMS)
    if (!(await find(tx, alg, making))) await make(tx, alg, { ...making, signsAt: making.now })
}

/** Returns the public keys (RFC 7517 §5). */
export async function publishedKeys(handle: Handle): Promise<JWK[]> {
  const key = sql<JWK>`public_jwk`.as('key')
  const rows = await handle.kysely.selectFrom('signing_keys').select(key).orderBy('id').execute()
  return rows.map((row) => row.key)
}

/**
 * Makes the next key of each algorithm in use when the last has signed long enough, and deletes expired keys. Must run in a
 * transaction.
 */
export async function rotateSigningKeys(tx: Handle, making: Making): Promise<void> {
  const { now } = making
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx.kysely)
  for (const alg of SIGNING_ALGORITHMS) {
    const [last, ...former] = await tx.kysely
      .selectFrom('signing_keys')
      .select(['id', 'signs_at'])
      .where('alg', '=', alg)
      .orderBy('signs_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    if (!last) continue
    let successor = last.signs_at
    for (const { id, signs_at } of former) {
      if (now.getTime() - successor.getTime() > PUBLISHED_AFTER_DAYS * DAY_MS)
        await tx.kysely.deleteFrom('signing_keys').where('id', '=', id).execute()
      successor = signs_at
    }
    const isOld = now.getTime() - last.signs_at.getTime() > (SIGNS_DAYS - PUBLISHED_BEFORE_DAYS) * DAY_MS
    const signsAt = new Date(now.getTime() + PUBLISHED_BEFORE_DAYS * DAY_MS)
    if (isOld) await make(tx, alg, { ...making, signsAt })
  }
}

/**
 * Ends all keys, as after a leak. The next ID token makes new ones. Must run in a transaction. Returns the ids of the ended
 * keys.
 */
export async function endSigningKeys(
  tx: Handle,
  { actor, now }: { readonly actor: Actor; readonly now: Date },
): Promise<readonly string[]> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx.kysely)
  const ended = await tx.kysely.deleteFrom('signing_keys').returning('kid').execute()
  if (ended.length > 0) await recordAudit(tx, now, { kind: 'signing_keys_ended', actor, subjectId: null })
  return ended.map(({ kid }) => kid)
}

const opened = new Map<string, KeyObject>()

async function find(tx: Handle, alg: SigningAlgorithm, { sealer, now }: Making): Promise<SigningKey | undefined> {
  const row = await tx.kysely
    .selectFrom('signing_keys')
    .select(['kid', 'sealed_key'])
    .where('alg', '=', alg)
    .where('signs_at', '<=', now)
    .orderBy('signs_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const key = opened.get(row.kid) ?? createPrivateKey(sealer.open(row.sealed_key))
  opened.set(row.kid, key)
  return { kid: row.kid, alg, key }
}

async function make(
  tx: Handle,
  alg: SigningAlgorithm,
  { sealer, now, signsAt }: Making & { readonly signsAt: Date },
): Promise<void> {
  const { publicKey, privateKey } =
    alg === 'RS256' ? await generate('rsa', { modulusLength: 2048 }) : await generate('ec', { namedCurve: 'P-256' })
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  await tx.kysely
    .insertInto('signing_keys')
    .values({
      kid,
      alg,
      public_jwk: JSON.stringify({ ...jwk, kid, alg, use: 'sig' }),
      sealed_key: sealer.seal(
        'signing_keys.sealed_key',
        privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      ),
      created_at: now,
      signs_at: signsAt,
    })
    .execute()
}
