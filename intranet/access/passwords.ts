import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { message } from '@campus/engine/base/languages/say'
import { normalForm } from '@campus/engine/base/text/normal-form'
import type { ValidationErrors } from '@campus/engine/validation-errors'

const derive = promisify(argon2)

/** OWASP's parameters for argon2id: 19 MiB, two passes, parallelism 1. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

const MIN_PASSWORD_LENGTH = 8
const MAX_PASSWORD_BYTES = 1024

/** Normalizes a password (RFC 8265): keyboards write an accented letter as one character or two. */
export const normalizePassword = (typed: string): string => normalForm(typed, 'NFC')

/** Adds the faults of a new password to `errors`. */
export function checkPassword(errors: ValidationErrors, typed: string): void {
  const password = normalizePassword(typed)
  if ([...password].length < MIN_PASSWORD_LENGTH) {
    errors.add('password', message('is too short (minimum is {least} characters)', { least: MIN_PASSWORD_LENGTH }))
  }
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) {
    errors.add('password', message('is too long (maximum is {most} bytes)', { most: MAX_PASSWORD_BYTES }))
  }
}

/** Returns the argon2id digest of the normalized password as a PHC string, with its own salt and cost. */
export async function hashPassword(typed: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES)
  const hash = await derive('argon2id', { message: normalizePassword(typed), nonce, tagLength: HASH_BYTES, ...COST })
  const { memory, passes, parallelism } = COST
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(nonce)}$${encode(hash)}`
}

/** Compares a password without normalization. A null digest matches no password and takes as long. */
export async function verifyPassword(digest: string | null, password: string): Promise<boolean> {
  const known = digest === null ? undefined : parse(digest)
  const { expected, parameters } = known ?? NOBODY
  const actual = await derive('argon2id', { ...parameters, message: password })
  return timingSafeEqual(actual, expected) && known !== undefined
}

type Digest = { readonly expected: Buffer; readonly parameters: Omit<Argon2Parameters, 'message'> }

const NOBODY: Digest = {
  expected: randomBytes(HASH_BYTES),
  parameters: { nonce: randomBytes(SALT_BYTES), tagLength: HASH_BYTES, ...COST },
}

function parse(digest: string): Digest | undefined {
  const [, memory, passes, parallelism, salt = '', hash = ''] = PHC.exec(digest) ?? []
  if (memory === undefined) return undefined
  const expected = Buffer.from(hash, 'base64')
  return {
    expected,
    parameters: {
      nonce: Buffer.from(salt, 'base64'),
      tagLength: expected.length,
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
    },
  }
}

/** PHC strings have no padding. */
const encode = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
