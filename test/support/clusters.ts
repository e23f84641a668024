import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makePrivateFolder } from '@campus/engine/base/private-files'
import { openDatabase } from '@campus/engine/database/database'
import { EmbeddedServer } from '@campus/engine/database/embedded/embedded-server'
import { migrate } from '@campus/engine/database/migrate'
import { storageOfResources } from '@campus/intranet/school/resources/declared'
import { SCHOOL_MIGRATIONS } from '@campus/intranet/school/resources/migrations'
import { runFolder } from './databases.ts'
import { copyTree } from './folder.ts'

/** Contents of a new embedded database. */
type Contents = 'empty' | 'migrated'

/** Gives the data folder an embedded database, a copy of one that is made once in a run, which spares seconds of `initdb`. */
export async function giveCluster(data: string, contents: Contents): Promise<void> {
  const original = join(runFolder(), `cluster-${contents}`)
  if (!existsSync(original)) await makeOriginal(original, contents)
  await makePrivateFolder(data)
  await copyTree(original, join(data, 'postgresql'))
}

async function makeOriginal(original: string, contents: Contents): Promise<void> {
  const data = await mkdtemp(join(runFolder(), 'making-'))
  const server = await EmbeddedServer.open({ data, connections: 20 })
  if (contents === 'migrated') {
    const database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url: server.url })
    await migrate(database.kysely, storageOfResources())
    await database.close()
  }
  await server.close()
  // Another test file may have been quicker.
  await rename(join(data, 'postgresql'), original).catch(() => {})
  await rm(data, { recursive: true, force: true })
}
