import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfPresent } from '../../base/private-files.ts'
import { findBinaries, majorVersionOf, packagedPrograms } from './binaries.ts'
import { chooseAccount } from './choose-account.ts'
import { OURSELVES, type RunAs, USER_NAMESPACE } from './run-as.ts'

export type Programs = { readonly binaries: string; readonly major: number; readonly who: RunAs }

export type Folders = { readonly data: string; readonly cluster: string }

type Choice = { readonly binaries?: string | undefined; readonly account?: string | undefined }

export async function findPrograms(
  { data, cluster }: Folders,
  { binaries: folder, account }: Choice,
): Promise<Programs> {
  const binaries = await findBinaries(folder)
  const major = await majorVersionOf(binaries)
  return { binaries, major, who: await chooseAccount({ data, cluster, binaries }, account) }
}

/** Returns the likely programs and account of an existing database, if any, without trying them, which takes as long as a start. */
export async function presumePrograms({ cluster }: Folders, choice: Choice): Promise<Programs | undefined> {
  if (choice.binaries || choice.account || process.platform === 'win32') return undefined
  const madeBy = await readIfPresent(join(cluster, 'PG_VERSION')).catch(() => undefined)
  const packaged = await packagedPrograms()
  if (!packaged || String(packaged.major) !== madeBy?.trim()) return undefined
  if (process.getuid?.() !== 0) return { ...packaged, who: OURSELVES }
  const { uid, gid } = await stat(cluster)
  return { ...packaged, who: uid === 0 ? USER_NAMESPACE : { ids: { uid, gid } } }
}
