import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { makePrivateFolder, readOrCreatePrivateFile } from '../private-files.ts'

const KEY_BYTES = 32

/** The 32 bytes that seal webservice secrets at rest: the configured ones, or those of a key file made at first use. */
export async function loadSecretKey({ data, secretKey }: Pick<Config, 'data' | 'secretKey'>): Promise<Buffer> {
  if (secretKey) return secretKey
  const path = join(data, 'secret.key')
  await makePrivateFolder(data)
  const text = await readOrCreatePrivateFile(path, () => `${randomBytes(KEY_BYTES).toString('hex')}\n`)
  if (!/^[0-9a-f]{64}\s*$/i.test(text)) {
    throw new ConfigError(`The key file ${path} must hold 64 hex digits; restore it, or set CAMPUS_SECRET_KEY.`)
  }
  return Buffer.from(text.trim(), 'hex')
}
