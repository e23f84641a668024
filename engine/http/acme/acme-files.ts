import { X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import {
  makePrivateFolder,
  readIfPresent,
  readOrCreatePrivateFile,
  replacePrivateFile,
} from '../../base/private-files.ts'

export type Obtained = { readonly cert: string; readonly key: string }

const folderOf = (data: string) => join(data, 'tls', 'acme')

export async function readObtained(data: string, host: string, now: Date): Promise<Obtained | undefined> {
  const text = await readIfPresent(join(folderOf(data), 'certificate.json'))
  if (text === undefined) return undefined
  try {
    const { cert, key }: Obtained = JSON.parse(text)
    const certificate = new X509Certificate(cert)
    return certificate.checkHost(host) !== undefined && certificate.validToDate > now ? { cert, key } : undefined
  } catch {
    return undefined // Another certificate will be obtained.
  }
}

/** Stores certificate and key in one file, so that they always match. */
export async function storeObtained(data: string, obtained: Obtained): Promise<void> {
  await replacePrivateFile(join(folderOf(data), 'certificate.json'), `${JSON.stringify(obtained)}\n`)
}

export async function accountKey(data: string, make: () => Promise<Buffer>): Promise<string> {
  await makePrivateFolder(folderOf(data))
  return readOrCreatePrivateFile(join(folderOf(data), 'account.pem'), async () => (await make()).toString())
}
