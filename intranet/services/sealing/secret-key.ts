import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { ConfigError } from '@campus/engine/base/config-error'
import { claimDataFolder, readIfPresent, readOrCreatePrivateFile } from '@campus/engine/base/private-files'
import { Sealer } from './sealer.ts'

const KEY_BYTES = 32

export type KeyConfig = {
  /** Folder of the key file. */
  readonly data: string
  /** The configured key. */
  readonly secretKey: Buffer | undefined
}

/** Returns the 32 bytes that seal secrets at rest. Makes a key file at first use. */
export const loadSecretKey = (config: KeyConfig): Promise<Buffer> => storeSecretKey(config, randomBytes(KEY_BYTES))

/** Returns the stored key. Stores the given one if there is none. */
export async function storeSecretKey({ data, secretKey }: KeyConfig, made: Buffer): Promise<Buffer> {
  if (secretKey) return secretKey
  if ((await readIfPresent(pathOf(data))) === undefined) await claimDataFolder(data)
  return readKey(pathOf(data), await readOrCreatePrivateFile(pathOf(data), () => `${made.toString('hex')}\n`))
}

/** Returns undefined if there is no key yet. */
export async function findSecretKey({ data, secretKey }: KeyConfig): Promise<Buffer | undefined> {
  const text = secretKey ? undefined : await readIfPresent(pathOf(data))
  return text === undefined ? secretKey : readKey(pathOf(data), text)
}

/** Returns an identifier from which the key cannot be derived. */
export const keyIdOf = (key: Buffer): string => new Sealer(key).keyedHash('archive').digest('hex').slice(0, 16)

const pathOf = (data: string) => join(data, 'secret.key')

function readKey(path: string, text: string): Buffer {
  if (!/^[0-9a-f]{64}\s*$/i.test(text)) {
    throw new ConfigError(`The key file ${path} must hold 64 hex digits; restore it, or set CAMPUS_SECRET_KEY.`)
  }
  return Buffer.from(text.trim(), 'hex')
}
