import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { once } from '@campus/engine/base/once'
import type { Identity, Recipient } from 'age-encryption'
import { ArchiveError } from './format.ts'

/*
 * An encrypted archive is a file of age (age-encryption.org/v1), so that `age --decrypt` opens it, too. Node derives keys of
 * passphrases on another thread. The library would do so in JavaScript on the thread that serves.
 */

/** A passphrase or a private key (`AGE-SECRET-KEY-…`). */
export type Opening = { readonly passphrase: string } | { readonly identity: string }
/** A passphrase or public keys (`age1…`). */
export type Closing = { readonly passphrase: string } | { readonly recipients: readonly string[] }

// The library takes long to load, and few archives are encrypted.
const age = once(() => import('age-encryption'))

export const AGE_MARK = 'age-encryption.org/v1\n'

/** Encrypts a stream. Throws ArchiveError if a public key is not valid. */
export async function encrypt(source: ReadableStream, closing: Closing): Promise<ReadableStream> {
  const { Encrypter } = await age()
  const encrypter = new Encrypter()
  try {
    for (const recipient of 'recipients' in closing ? closing.recipients : [byPassphrase(closing.passphrase)]) {
      encrypter.addRecipient(recipient)
    }
  } catch {
    throw new ArchiveError('--for must be a public key of age, which begins with "age1".')
  }
  return encrypter.encrypt(source)
}

/** Decrypts a stream. Throws ArchiveError if the passphrase or key is wrong. */
export async function decrypt(source: ReadableStream, opening: Opening | undefined): Promise<ReadableStream> {
  if (!opening) {
    throw new ArchiveError(
      'It is encrypted: name its passphrase (--passphrase-file, CAMPUS_BACKUP_PASSPHRASE) or its key (--identity).',
    )
  }
  const { Decrypter } = await age()
  const decrypter = new Decrypter()
  try {
    decrypter.addIdentity('identity' in opening ? opening.identity : withPassphrase(opening))
    return await decrypter.decrypt(source)
  } catch (error) {
    if (error instanceof ArchiveError) throw error
    const given = 'identity' in opening ? 'key' : 'passphrase'
    throw new ArchiveError(`It cannot be decrypted: the ${given} is another, or its beginning is damaged.`, {
      cause: error,
    })
  }
}

/** 2^17 rounds with 8 blocks take 128 MiB, the minimum of OWASP. */
const WORK_FACTOR = 17
/** Limits the memory that a hostile archive can ask for. */
const HIGHEST_WORK_FACTOR = 20
const MAX_MEMORY_BYTES = 2 ** 31
const SALT_BYTES = 16
const KEY_BYTES = 32
const TAG_BYTES = 16
const NO_NONCE = Buffer.alloc(12)
const CIPHER = 'chacha20-poly1305'
const TAG_LENGTH = { authTagLength: TAG_BYTES }

const byPassphrase = (passphrase: string): Recipient => ({
  async wrapFileKey(fileKey) {
    const salt = randomBytes(SALT_BYTES)
    const cipher = createCipheriv(CIPHER, await keyOf(passphrase, salt, WORK_FACTOR), NO_NONCE, TAG_LENGTH)
    const body = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()])
    const { Stanza } = await age()
    return [new Stanza(['scrypt', salt.toString('base64').replace(/=+$/, ''), String(WORK_FACTOR)], body)]
  },
})

/** Caches the last derived key by salt and work factor, since a restore reads its archive twice. */
const keys = new WeakMap<Opening, { readonly of: string; readonly key: Buffer }>()

const withPassphrase = (opening: Extract<Opening, { readonly passphrase: string }>): Identity => ({
  async unwrapFileKey(stanzas) {
    const [stanza, ...others] = stanzas
    const [kind, salt = '', factor = ''] = stanza?.args ?? []
    if (!stanza || kind !== 'scrypt' || others.length > 0) {
      throw new ArchiveError('It was made for a public key, not with a passphrase: name its private key (--identity).')
    }
    if (!/^[1-9]\d?$/.test(factor) || Number(factor) > HIGHEST_WORK_FACTOR)
      throw new ArchiveError('Its header is damaged.')
    const of = `${factor} ${salt}`
    const known = keys.get(opening)
    const key =
      known?.of === of ? known.key : await keyOf(opening.passphrase, Buffer.from(salt, 'base64'), Number(factor))
    keys.set(opening, { of, key })
    const decipher = createDecipheriv(CIPHER, key, NO_NONCE, TAG_LENGTH)
    decipher.setAuthTag(stanza.body.subarray(-TAG_BYTES))
    const plain = decipher.update(stanza.body.subarray(0, -TAG_BYTES))
    try {
      decipher.final()
    } catch {
      return null // The passphrase is wrong.
    }
    return plain
  },
})

const makeKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

function keyOf(passphrase: string, salt: Buffer, workFactor: number): Promise<Buffer> {
  const salted = Buffer.concat([Buffer.from('age-encryption.org/v1/scrypt'), salt])
  return makeKey(passphrase, salted, KEY_BYTES, { N: 2 ** workFactor, r: 8, p: 1, maxmem: MAX_MEMORY_BYTES })
}
