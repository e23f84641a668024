import { hkdfSync, randomBytes } from 'node:crypto'
import { Sealer } from '../sealer.ts'

/** Keeps passwords and metas unreadable between the change and the call that tells it (decisions §7). */
export type Sealing = {
  /** Which key this is; tells nothing about it. */
  readonly id: string
  /** Whether other processes have the key too, and this one after a restart. */
  readonly isShared: boolean
  readonly sealer: Sealer
}

/** With the operator's 32 bytes or, without them, a key that ends with this process. */
export function createSealing(key?: Buffer): Sealing {
  const bytes = key ?? randomBytes(32)
  const id = Buffer.from(hkdfSync('sha256', bytes, '', 'campus-intranet sealing id', 8)).toString('hex')
  return { id, isShared: key !== undefined, sealer: new Sealer(bytes) }
}

/** What a call carries that must not rest in clear. */
export type SecretParts = { readonly password: string | null; readonly meta: object | null }

/** Seals what there is, for one user: nobody can make it another's. */
export function sealParts({ id, sealer }: Sealing, userId: number, parts: SecretParts) {
  return { by: id, text: sealer.seal(JSON.stringify({ userId, ...parts })) }
}

/** Undefined where the key is another's, or the text is not this user's. */
export function openParts({ sealer }: Sealing, userId: number, sealed: string): SecretParts | undefined {
  try {
    const { userId: sealedFor, password, meta } = JSON.parse(sealer.open(sealed))
    return sealedFor === userId ? { password, meta } : undefined
  } catch {
    return undefined
  }
}
