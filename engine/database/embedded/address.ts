import { randomBytes } from 'node:crypto'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { portOf } from '../../base/port-of.ts'
import { readOrCreatePrivateFile } from '../../base/private-files.ts'
import { commandName } from '../../base/service.ts'
import type { RunAs } from './run-as.ts'

export type Address = {
  readonly url: string
  readonly socketFolder?: string
  readonly settings: Readonly<Record<string, string>>
}

export const DATABASE_USER = 'postgres'
const DATABASE = 'postgres'
const SOCKET = '.s.PGSQL.5432'
/** The shortest limit of any system is 104 bytes, including the null byte. */
const MAX_SOCKET_PATH = 103
const TEMPORARY_PREFIX = `${commandName()}-postgresql-`

/**
 * Returns a Unix socket in the database's folder, which only its owner may enter, or in a temporary folder if the path is too long. It
 * needs no password, since only accounts that can read the data files can reach the socket.
 */
export async function socketAddress(cluster: string, { ids }: RunAs): Promise<Address> {
  const folder = Buffer.byteLength(join(cluster, SOCKET)) <= MAX_SOCKET_PATH ? cluster : await temporaryFolder(ids)
  return {
    socketFolder: folder,
    url: `postgres://${DATABASE_USER}@${encodeURIComponent(folder)}/${DATABASE}`,
    settings: {
      listen_addresses: '',
      unix_socket_directories: folder,
      unix_socket_permissions: '0700',
      port: '5432',
    },
  }
}

async function temporaryFolder(ids: RunAs['ids']): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), TEMPORARY_PREFIX))
  if (ids) await chown(folder, ids.uid, ids.gid)
  return folder
}

export async function removeSocketFolder(folder: string): Promise<void> {
  if (dirname(folder) === tmpdir() && basename(folder).startsWith(TEMPORARY_PREFIX)) {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns a free loopback port with a password, for Windows, whose sockets have no permissions. */
export async function loopbackAddress(data: string): Promise<Address> {
  const [port, password] = [await freePort(), await passwordOf(data)]
  return {
    url: `postgres://${DATABASE_USER}:${password}@127.0.0.1:${port}/${DATABASE}`,
    settings: { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port) },
  }
}

export const passwordFile = (data: string) => join(data, 'postgresql.password')

const passwordOf = (data: string) => readOrCreatePrivateFile(passwordFile(data), () => randomBytes(24).toString('hex'))

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, '127.0.0.1', resolve))
  const port = portOf(probe)
  await new Promise((resolve) => probe.close(resolve))
  return port
}
