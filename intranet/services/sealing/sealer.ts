import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type Hmac,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { checkSealed, type Sealed } from './sealed-columns.ts'

const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts texts at rest (AES-256-GCM). Keyed digests let them be found by equality. */
export class Sealer {
  readonly #sealing: KeyObject
  readonly #digesting: KeyObject
  readonly #signing: KeyObject
  readonly #key: Buffer
  readonly #hashing = new Map<string, KeyObject>()

  /** `key` has 32 bytes and is never stored in the database. */
  constructor(key: Buffer) {
    this.#sealing = derive(key, 'seal')
    this.#digesting = derive(key, 'digest')
    this.#signing = derive(key, 'sign')
    this.#key = key
  }

  /** Throws if a text may not be sealed for this place. */
  check(place: string): void {
    checkSealed(place)
  }

  /** Seals a text for a column of `SEALED_COLUMNS`, a cookie or a delivery. Throws for other places. */
  seal(place: Sealed, content: string | Uint8Array): string {
    this.check(place)
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#sealing, iv)
    const start = typeof content === 'string' ? cipher.update(content, 'utf8') : cipher.update(content)
    const sealed = Buffer.concat([start, cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
  }

  /** Throws if the text was altered or sealed with another key. */
  open(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', this.#sealing, bytes.subarray(0, IV_BYTES))
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
  }

  /** Returns a keyed digest, the same for the same text. */
  digest(text: string): string {
    return createHmac('sha256', this.#digesting).update(text).digest('hex')
  }

  /** Begins a keyed digest of guessable values. Each purpose has its own key. */
  keyedHash(purpose: string): Hmac {
    const key = this.#hashing.get(purpose) ?? derive(this.#key, `hash ${purpose}`)
    this.#hashing.set(purpose, key)
    return createHmac('sha256', key)
  }

  /** Signs a text. The signature may be part of an address. */
  sign(text: string): string {
    return createHmac('sha256', this.#signing).update(text).digest('base64url')
  }
}

/** Created once, since creating the object takes five times as long as using it. */
const derive = (key: Buffer, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `campus-intranet ${purpose}`, 32)))
