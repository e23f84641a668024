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
  /** Identifier from which the key cannot be derived. */
  readonly id: string
  /** Whether other processes have the key, so that this process need not be active to open what it sealed. */
  readonly isShared: boolean
  /** Key with which others seal for its holder. Undefined for a shared key. */
  readonly publicKey: string | undefined
  seal(text: string): string
  /** Throws if the text was altered or sealed for another key. */
  open(sealed: string): string
}

/** Uses the operator's 32 bytes, or else a key of this process alone. */
export function createSealing(key?: Buffer): Sealing {
  return key ? sharedSealing(key) : ownSealing()
}

/** Returns the id of the operator's key, or undefined if each process has its own. */
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

/** Makes a key, as text, for the processes that it is handed to. */
export const makeSealingKey = (): string =>
  JSON.stringify(generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' }))

/** Shares a key of another process, which is known to be active. */
export const sealingWith = (key: string): Sealing => ({ ...ownSealing(key), isShared: true })

/** The holder of the key must be known to be active. */
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

/** Returns the key that two sides agree on, each with its own private key (as in RFC 9180). */
function agree(privateKey: KeyObject, publicKey: KeyObject, context: string): Sealer {
  const secret = diffieHellman({ privateKey, publicKey })
  return new Sealer(Buffer.from(hkdfSync('sha256', secret, context, 'campus-intranet sealed for a process', 32)))
}

const rawText = (key: KeyObject) => String(key.export({ format: 'jwk' }).x)

const publicFrom = (x: string) => createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' })

/** Values of a delivery that must not be stored in clear. */
export type Secrets = { readonly password: string | null; readonly meta: object | null }

/** Binds the secrets to one user. */
export function sealSecrets({ id, seal }: Sealing, userId: number, secrets: Secrets) {
  return { by: id, text: seal(JSON.stringify({ userId, ...secrets })) }
}

/** Returns undefined if the key or the user is another. */
export function openSecrets({ open }: Sealing, userId: number, sealed: string): Secrets | undefined {
  try {
    const { userId: sealedFor, password, meta } = JSON.parse(open(sealed))
    return sealedFor === userId ? { password, meta } : undefined
  } catch {
    return undefined
  }
}
