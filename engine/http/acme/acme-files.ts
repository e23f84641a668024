import { X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import {
  makePrivateFolder,
  readIfPresent,
  readOrCreatePrivateFile,
  replacePrivateFile,
} from '../../base/private-files.ts'

/** A certificate with its chain, and its key, as PEM texts. */
export type Obtained = { readonly cert: string; readonly key: string }

const folderOf = (data: string) => join(data, 'tls', 'acme')

/** The certificate that an authority gave for this name, as long as it is valid; undefined without one. */
export async function readObtained(data: string, host: string, now: Date): Promise<Obtained | undefined> {
  const text = await readIfPresent(join(folderOf(data), 'certificate.json'))
  if (text === undefined) return undefined
  try {
    const { cert, key }: Obtained = JSON.parse(text)
    const certificate = new X509Certificate(cert)
    return certificate.checkHost(host) !== undefined && certificate.validToDate > now ? { cert, key } : undefined
  } catch {
    return undefined // Another is obtained.
  }
}

/** Stores both in one file, so that a certificate is never beside another's key. */
export async function storeObtained(data: string, obtained: Obtained): Promise<void> {
  await replacePrivateFile(join(folderOf(data), 'certificate.json'), `${JSON.stringify(obtained)}\n`)
}

/** The key of our account at the authority, made at first use. */
export async function accountKey(data: string, make: () => Promise<Buffer>): Promise<string> {
  await makePrivateFolder(folderOf(data))
  return readOrCreatePrivateFile(join(folderOf(data), 'account.pem'), async () => (await make()).toString())
}
