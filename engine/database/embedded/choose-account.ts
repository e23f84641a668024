import { chmod, chown, lchown, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { toError } from '../../base/caught.ts'
import { ConfigError } from '../../base/config-error.ts'
import { defined } from '../../base/defined.ts'
import { commandName, settingName } from '../../base/service.ts'
import { executable, OTHER_WAYS } from './binaries.ts'
import { accountNamed, OURSELVES, type RunAs, runAs, USER_NAMESPACE } from './run-as.ts'

type Folders = {
  readonly data: string
  readonly cluster: string
  readonly binaries: string
}

const LAST_RESORT = 'nobody'

/**
 * Chooses the account that PostgreSQL runs as: ours, or, since PostgreSQL refuses root, the configured account, the owner of the
 * database, a user namespace, or `nobody`. Gives the account access to the folders. Throws ConfigError.
 */
export async function chooseAccount(folders: Folders, configured: string | undefined): Promise<RunAs> {
  if (process.getuid?.() !== 0) return OURSELVES
  if (configured) return admit(await accountNamed(configured), configured, folders)
  const owner = await ownerOf(folders.cluster)
  if (owner && owner.uid !== 0)
    return admit({ ids: owner }, `with the id ${owner.uid}, which owns the database`, folders)
  const refusal = await findRefusal(USER_NAMESPACE, folders)
  if (!refusal) return USER_NAMESPACE
  return accountNamed(LAST_RESORT)
    .then((account) => admit(account, LAST_RESORT, folders))
    .catch(({ message }) => {
      throw new ConfigError(`${message} (A user namespace does not work here either: ${refusal})`)
    })
}

async function ownerOf(folder: string): Promise<{ uid: number; gid: number } | undefined> {
  const found = await stat(folder).catch(() => undefined)
  return found && { uid: found.uid, gid: found.gid }
}

async function findRefusal(who: RunAs, { data, binaries }: Folders): Promise<string | undefined> {
  try {
    await runAs(who, ['/bin/sh', '-c', 'cd -- "$1"', 'sh', data])
    await runAs(who, [join(binaries, executable('postgres')), '-V'])
    return undefined
  } catch (error) {
    return toError(error).message
  }
}

async function admit(who: RunAs, name: string, folders: Folders): Promise<RunAs> {
  const { uid, gid } = defined(who.ids)
  if (await findRefusal(who, folders)) await letPass(folders.data, gid).catch(() => {}) // Reported below.
  const refusal = await findRefusal(who, folders)
  if (refusal) {
    throw new ConfigError(
      `PostgreSQL refuses to run as root, and the account ${name} cannot use ${folders.data} and ${folders.binaries}: ${refusal}. ` +
        `Run ${commandName()} as an ordinary user; or put both where that account may enter, or name another one in ${settingName('POSTGRES_ACCOUNT')}; or ${OTHER_WAYS}.`,
    )
  }
  const owner = await ownerOf(folders.cluster)
  if (owner && owner.uid !== uid) await giveTo(folders.cluster, uid, gid)
  return who
}

async function letPass(folder: string, gid: number): Promise<void> {
  const { mode } = await stat(folder)
  await chown(folder, 0, gid)
  await chmod(folder, (mode & 0o777) | 0o010)
}

async function giveTo(folder: string, uid: number, gid: number): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) await lchown(join(folder, name), uid, gid)
  await chown(folder, uid, gid)
}
