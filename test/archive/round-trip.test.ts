import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openForCommand } from '../../src/commands/open-database.ts'
import { keepSecretKey } from '../../src/database/secret-key.ts'
import { giveCluster } from '../support/clusters.ts'
import { emptyDatabase, seededDatabase } from '../support/database.ts'
import {
  type Answers,
  backUpTo,
  type Installation,
  installation,
  NOW,
  readEverything,
  restoreFrom,
  staffToken,
} from './installation.ts'
import { startWriters, type Writers, writer, writesIn } from './writers.ts'

/** The school that is moved: 25 people, or as many as CAMPUS_TEST_BACKUP_USERS says. */
const USERS = Number(process.env.CAMPUS_TEST_BACKUP_USERS ?? 25)
const PASSPHRASE = 'open sesame, please'

const onServer = () =>
  installation(async () => {
    const database = await emptyDatabase()
    return { database, close: () => database.close() }
  })

const onEmbedded = () =>
  installation(async (config) => {
    await giveCluster(config.data, 'empty')
    const opened = await openForCommand(config, 'test')
    return { database: opened.database, close: opened.close }
  })

describe('a school that is moved from one database to another and back, while others write', () => {
  /** It is written to as far as the archive has it, and so answers as the school did at that moment. */
  let reference: Installation
  let embedded: Installation
  let server: Installation
  let last: Installation
  let writers: Writers
  let token: string
  let answers: Answers
  before(async () => {
    reference = await installation(async ({ files }) => {
      const database = await seededDatabase({ users: USERS, locations: USERS * 2, now: NOW }, files)
      return { database, close: () => database.close() }
    })
    await keepSecretKey(reference.config, randomBytes(32))
    token = await staffToken(reference)
    embedded = await onEmbedded()
    await move(reference, embedded)
  })
  after(async () => {
    for (const one of [reference, embedded, server, last]) await one?.close()
  })

  async function move(from: Installation, to: Installation): Promise<void> {
    const file = join(to.config.data, 'moved.campus')
    const { tables, files } = await backUpTo(file, from, PASSPHRASE)
    assert.equal(tables.users?.rows, USERS)
    assert.ok(files.count > 0)
    assert.deepEqual([files.missing, files.damaged], [[], []])
    const { migrations, leftOut } = await restoreFrom(file, to, { passphrase: PASSPHRASE })
    assert.deepEqual([migrations, leftOut], [[], []])
  }

  it('is moved from the embedded database to a server as it was at one moment of its writers', async () => {
    server = await onServer()
    const before = 5
    writers = await startWriters(embedded, token)
    await writers.until(before)
    await move(embedded, server)
    await writers.until(writers.written + 1)
    await writers.stop()
    const moved = await writesIn(server)
    assert.ok(moved >= before && moved < writers.written, `${moved} of ${writers.written} writes`)
    const write = await writer(reference, token)
    for (let number = 1; number <= moved; number += 1) await write.write(number)
    await write.close()
    answers = await readEverything(reference, token)
    assertSame(await readEverything(server, token), answers)
  })

  it('is asked for everything', () => {
    const statuses = Map.groupBy(answers.values(), (answer) => answer.slice(0, 3))
    assert.ok(answers.size > 500, `${answers.size} answers`)
    assert.ok((statuses.get('200')?.length ?? 0) > answers.size * 0.9, [...statuses.keys()].join())
    assert.ok([...answers.keys()].some((address) => address.startsWith('/files/')))
  })

  it('answers every read from an embedded database again, byte for byte', async () => {
    last = await onEmbedded()
    await move(server, last)
    assertSame(await readEverything(last, token), answers)
  })

  it('goes on counting ids where it was', async () => {
    const [before, after] = await Promise.all(
      [reference, last].map(({ database }) => database.rows("select nextval(pg_get_serial_sequence('users', 'id'))")),
    )
    assert.deepEqual(after, before)
  })

  it('has the same counts as rows', async () => {
    const counts = 'select relation, sum(row_count) from row_counts group by 1 having sum(row_count) <> 0 order by 1'
    const kept = `select relation, series, keys, period, sum(row_count) from kept_counts
      group by 1, 2, 3, 4 having sum(row_count) <> 0 order by 1, 2, 3, 4`
    for (const query of [counts, kept]) {
      assert.deepEqual(await last.database.rows(query), await reference.database.rows(query))
    }
  })
})

/** Names the addresses that are answered otherwise. */
function assertSame(found: Answers, wanted: Answers): void {
  const addresses = new Set([...found.keys(), ...wanted.keys()])
  const other = [...addresses].filter((address) => found.get(address) !== wanted.get(address))
  assert.deepEqual(
    other.map((address) => [address, found.get(address), wanted.get(address)]),
    [],
  )
}
