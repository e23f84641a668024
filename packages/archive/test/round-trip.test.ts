import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { demonstrationFiles } from '@campus/demo/demonstration-files'
import { seed } from '@campus/demo/seeds/seed'
import { migrate } from '@campus/engine/database/migrate'
import { storageOfResources } from '@campus/intranet/school/resources/declared'
import { openForCommand } from '@campus/intranet/server/open-database'
import { storeSecretKey } from '@campus/intranet/services/sealing/secret-key'
import type { Config } from '@campus/intranet/settings/config'
import { giveCluster } from '@campus/test/support/clusters'
import { emptyDatabase } from '@campus/test/support/database'
import { copyTree } from '@campus/test/support/folder'
import type { Manifest } from '../format.ts'
import { readArchive } from '../read-archive.ts'
import { fingerprintsOf } from './fingerprints.ts'
import { type Answers, type Installation, installation, NOW, readEverything, staffToken } from './installation.ts'
import { killedOnce } from './killed-once.ts'
import { urlOf } from './small-school.ts'
import { startWriters, writer, writesIn } from './writers.ts'

/** The school that is moved: 25 people, or as many as CAMPUS_TEST_BACKUP_USERS says. */
const USERS = Number(process.env.CAMPUS_TEST_BACKUP_USERS ?? 25)
const PASSPHRASE = 'open sesame, please'
/** About half of what a school has: then a command is in the middle. One for few people is soon done, and is killed when it begins to write. */
const [HALF_AN_ARCHIVE, HALF_A_DATABASE] = [USERS < 1000 ? 1 : 500 * USERS, 10_000 * USERS]

describe('a school that is moved from one database to another and back, while others write, each command killed once', () => {
  /** It is written to as far as the archive has it, and so answers as the school did at that moment. */
  let reference: Installation
  let embedded: Installation
  let server: Installation
  let last: Installation
  let token: string
  let answers: Answers
  let archived: Manifest
  before(async () => {
    embedded = await installation(async (config) => {
      token = await makeSchool(config)
      reference = await installation(async (copy) => {
        await copyTree(config.data, copy.data)
        return openForCommand(copy, { name: 'test', mayCreate: true })
      })
      return openForCommand(config, { name: 'test', mayCreate: true })
    })
  })
  after(async () => {
    for (const one of [reference, embedded, server, last]) await one?.close()
  })

  it('is moved from the embedded database to a server as it was at one moment of its writers', async () => {
    const before = 5
    const writers = await startWriters(embedded, token)
    await writers.until(before)
    const file = await backUp(embedded)
    await writers.until(writers.written + 1)
    await writers.stop()
    archived = await manifestOf(file)
    assert.equal(archived.tables.users?.rows, USERS)
    assert.ok(archived.files.count > 0)
    assert.deepEqual([archived.files.missing, archived.files.damaged], [[], []])
    server = await onServer(file)
    const moved = await writesIn(server)
    assert.ok(moved >= before && moved < writers.written, `${moved} of ${writers.written} writes`)
    const write = await writer(reference, token)
    for (let number = 1; number <= moved; number += 1) await write.write(number)
    await write.close()
  })

  it('has the same rows', async () => {
    const [found, wanted] = [await fingerprintsOf(server.database), await fingerprintsOf(reference.database)]
    assert.deepEqual(found, wanted)
    for (const [table, { rows }] of Object.entries(archived.tables))
      assert.match(`${found.get(table)}`, RegExp(`^${rows} `))
  })

  it('is moved from the server to an embedded database again, every row in its place', async () => {
    const file = await backUp(server, await urlOf(server.database))
    assert.deepEqual(await manifestOf(file), archived)
    last = await onEmbedded(file)
    assert.deepEqual(await fingerprintsOf(last.database), await fingerprintsOf(server.database))
  })

  it('answers every read there, byte for byte', async () => {
    answers = await readEverything(reference, token)
    assertSame(await readEverything(last, token), answers)
  })

  it('is asked for everything', () => {
    const statuses = Map.groupBy(answers.values(), (answer) => answer.slice(0, 3))
    assert.ok(answers.size > 500, `${answers.size} answers`)
    assert.ok((statuses.get('200')?.length ?? 0) > answers.size * 0.9, [...statuses.keys()].join())
    assert.ok([...answers.keys()].some((address) => address.startsWith('/files/')))
  })

  it('goes on counting ids where it was', async () => {
    const [before, after] = await Promise.all(
      [reference, last].map(({ database }) => database.rows("select nextval(pg_get_serial_sequence('users', 'id'))")),
    )
    assert.deepEqual(after, before)
  })

  it('has the same counts as rows', async () => {
    const counts = 'select relation, sum(row_count) from row_counts group by 1 having sum(row_count) <> 0 order by 1'
    const retained = `select relation, series, keys, period, sum(row_count) from stored_counts
      group by 1, 2, 3, 4 having sum(row_count) <> 0 order by 1, 2, 3, 4`
    // Days are counted when what writers have counted is added up.
    for (const { database } of [last, reference]) await database.rows('select compact_counts()')
    for (const query of [counts, retained]) {
      assert.deepEqual(await last.database.rows(query), await reference.database.rows(query))
    }
  })
})

/** Fills the data folder with a school, and gives a token of staff. */
async function makeSchool(config: Config): Promise<string> {
  await giveCluster(config.data, 'migrated')
  await storeSecretKey(config, randomBytes(32))
  const { database, close } = await openForCommand(config, { name: 'test', mayCreate: true })
  try {
    await migrate(database.kysely, storageOfResources())
    const files = demonstrationFiles(database, config)
    await seed(database, { users: USERS, locations: USERS * 2, now: NOW, files })
    return await staffToken({ config, database, close })
  } finally {
    await close()
  }
}

const envOf = ({ data }: Config, url?: string) => ({
  CAMPUS_DATA: data,
  CAMPUS_BACKUP_PASSPHRASE: PASSPHRASE,
  ...(url !== undefined && { DATABASE_URL: url }),
})

/** The archive of an installation, by a command that was killed before. */
async function backUp({ config }: Installation, url?: string): Promise<string> {
  const file = join(config.data, 'moved.campus')
  const part = () => stat(`${file}.part`).catch(() => undefined)
  await killedOnce(['backup', file], envOf(config, url), async () => ((await part())?.size ?? 0) >= HALF_AN_ARCHIVE)
  return file
}

const manifestOf = async (file: string): Promise<Manifest> => {
  const reading = { opening: { passphrase: PASSPHRASE }, progress: () => {}, step: 'read' }
  return (await readArchive(file, reading)).manifest
}

async function restoreInto(file: string, env: Record<string, string>, bytes: () => Promise<number>): Promise<void> {
  const before = await bytes()
  await killedOnce(['restore', file], env, async () => (await bytes()) > before + HALF_A_DATABASE)
}

const onServer = (file: string) =>
  installation(async (config) => {
    const database = await emptyDatabase()
    const bytes = async () => Number((await database.rows('select pg_database_size(current_database())'))[0]?.[0])
    await restoreInto(file, envOf(config, database.url), bytes)
    return { database, close: () => database.close() }
  })

const onEmbedded = (file: string) =>
  installation(async (config) => {
    await giveCluster(config.data, 'empty')
    await restoreInto(file, envOf(config), () => bytesOf(join(config.data, 'postgresql/base')))
    return openForCommand(config, { name: 'test', mayCreate: true })
  })

const bytesOf = async (folder: string): Promise<number> =>
  // It says of files that go meanwhile that they are gone.
  promisify(execFile)('du', ['-sb', folder]).then(
    ({ stdout }) => Number.parseInt(stdout, 10),
    ({ stdout }) => Number.parseInt(stdout, 10),
  )

/** Names the addresses that are answered otherwise. */
function assertSame(found: Answers, wanted: Answers): void {
  const addresses = new Set([...found.keys(), ...wanted.keys()])
  const other = [...addresses].filter((address) => found.get(address) !== wanted.get(address))
  assert.deepEqual(
    other.map((address) => [address, found.get(address), wanted.get(address)]),
    [],
  )
}
