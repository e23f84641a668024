import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import { hashPassword, normalizePassword, verifyPassword } from './passwords.ts'

type Account = { readonly id: number; readonly password_digest: string | null }

/**
 * Reports whether the password is that of the account. An undefined account takes as long. Releases before 0.3.0 hashed
 * passwords as typed: such a digest is compared second, and replaced if it matches.
 */
export async function provePassword(handle: Handle, account: Account | undefined, typed: string): Promise<boolean> {
  const digest = account?.password_digest ?? null
  const normalized = normalizePassword(typed)
  if (await verifyPassword(digest, normalized)) return true
  if (normalized === typed || !(await verifyPassword(digest, typed))) return false
  if (account) await replaceDigest(handle, account, typed)
  return true
}

/** Replaces the digest unless the password was changed meanwhile. Sends no webhooks. */
async function replaceDigest({ kysely }: Handle, { id, password_digest }: Account, typed: string): Promise<void> {
  const replacement = await hashPassword(typed)
  await sql`
    with quiet as materialized (select set_config('campus.webhooks', 'off', true))
    update users set password_digest = ${replacement} from quiet
    where id = ${id} and password_digest = ${password_digest}`.execute(kysely)
}
