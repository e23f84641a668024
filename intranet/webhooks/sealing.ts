import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'
import { Sealer } from '../services/sealing/sealer.ts'

/** Encrypts passwords and metas between the change and its delivery (spec: webhooks 14). */
export type Sealing = {
  /** An identifier of the key, from which the key cannot be derived. */
  readonly id: string
  /** Whether others have the key too, and this process need not be alive for what it seals to be opened. */
  readonly isShared: boolean
  /** With it others seal what only the holder of this key can open; undefined for a shared key, which needs none. */
  readonly publicKey: string | undefined
  seal(text: string): string
  /** Throws when the text was sealed for another key or altered. */
  open(sealed: string): string
}

/** With the operator's 32 bytes or, without them, a key that ends with this process. */
export function createSealing(key?: Buffer): Sealing {
  return key ? sharedSealing(key) : ownSealing()
}

/** Returns the id of the operator's key for deliveries, or undefined if each process has its own. */
export const sharedSealingOf = ({ sealingKey }: { readonly sealingKey: Buffer | undefined }): string | undefined =>
  sealingKey && idOf(sealingKey)

function sharedSealing(key: Buffer): Sealing {
  const sealer = new Sealer(key)
  return {
    id: idOf(key),
    isShared: true,
    publicKey: undefined,
    seal: (text) => sealer.seal('delivery', text),
    open: (sealed) => sealer.open(sealed),
  }
}

/** A key that ends with the processes that are given it, as text to hand to them. */
export const makeSealingKey = (): string =>
  JSON.stringify(generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' }))

/** The same where another process, which made the key, is known to be alive. */
export const sealingWith = (key: string): Sealing => ({ ...ownSealing(key), isShared: true })

/** With a key that was made by `makeSealingKey`, or one of this process alone. Its holder must be known to be alive. */
export function ownSealing(key = makeSealingKey()): Sealing {
  const privateKey = createPrivateKey({ key: JSON.parse(key), format: 'jwk' })
  const published = rawText(createPublicKey(privateKey))
  return {
    ...sealingTo(published),
    open(sealed) {
      const [ephemeral = '', text = ''] = sealed.split('.')
      return agree(privateKey, publicFrom(ephemeral), ephemeral + published).open(text)
    },
  }
}

/** Seals for the process that published this key, and opens nothing. */
export function sealingTo(published: string): Sealing {
  const recipient = publicFrom(published)
  return {
    id: idOf(Buffer.from(published)),
    isShared: false,
    publicKey: published,
    seal(text) {
      const { privateKey, publicKey } = generateKeyPairSync('x25519')
      const ephemeral = rawText(publicKey)
      return `${ephemeral}.${agree(privateKey, recipient, ephemeral + published).seal('delivery', text)}`
    },
    open() {
      throw new Error('This was sealed for another process.')
    },
  }
}

const idOf = (bytes: Buffer) =>
  Buffer.from(hkdfSync('sha256', bytes, '', 'campus-intranet sealing id', 8)).toString('hex')

/** The key that two sides agree on, each with its own private key and the other's public one (as RFC 9180 does). */
function agree(privateKey: KeyObject, publicKey: KeyObject, context: string): Sealer {
  const secret = diffieHellman({ privateKey, publicKey })
  return new Sealer(Buffer.from(hkdfSync('sha256', secret, context, 'campus-intranet sealed for a process', 32)))
}

const rawText = (key: KeyObject) => String(key.export({ format: 'jwk' }).x)

const publicFrom = (x: string) => createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' })

/** What a delivery carries that must not be stored in clear. */
export type Secrets = { readonly password: string | null; readonly meta: object | null }

/** Seals the secrets for one user: they cannot be moved to another. */
export function sealSecrets({ id, seal }: Sealing, userId: number, secrets: Secrets) {
  return { by: id, text: seal(JSON.stringify({ userId, ...secrets })) }
}

/** Undefined where the key is another's, or the text is not this user's. */
export function openSecrets({ open }: Sealing, userId: number, sealed: string): Secrets | undefined {
  try {
    const { userId: sealedFor, password, meta } = JSON.parse(open(sealed))
    return sealedFor === userId ? { password, meta } : undefined
  } catch {
    return undefined
  }
}
