import { hash, randomBytes } from 'node:crypto'
import type { Handle } from '@campus/engine/database/database'
import { Secret } from 'otpauth'

const RECOVERY_CODES = 10

export async function countRecoveryCodes(handle: Handle, userId: number): Promise<number> {
  const rows = await handle.kysely.selectFrom('recovery_codes').select('digest').where('user_id', '=', userId).execute()
  return rows.length
}

/** Replaces all recovery codes. Must run in a transaction. */
export async function replaceRecoveryCodes(tx: Handle, user_id: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, makeRecoveryCode)
  await deleteRecoveryCodes(tx, user_id)
  await tx.kysely
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id, digest: digestOfCode(code) })))
    .execute()
  return codes
}

/** Uses up a recovery code. Returns false if it is not one of the user's. */
export async function spendRecoveryCode(tx: Handle, userId: number, code: string): Promise<boolean> {
  const { numDeletedRows } = await tx.kysely
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('digest', '=', digestOfCode(code))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteRecoveryCodes(tx: Handle, userId: number): Promise<void> {
  await tx.kysely.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

/** 80 random bits as four groups of unambiguous letters and digits. */
function makeRecoveryCode(): string {
  const letters = new Secret({ buffer: new Uint8Array(randomBytes(10)).buffer }).base32
  return (letters.match(/.{4}/g) ?? []).join('-')
}

/** 80 random bits need no slow digest. */
const digestOfCode = (code: string) => hash('sha256', code.toUpperCase().replace(/[^A-Z2-7]/g, ''), 'buffer')
