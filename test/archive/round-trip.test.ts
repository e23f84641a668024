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

/** The school that is moved: 25 people, or as many as CAMPUS_TEST_BACKUP_USERS says. */
const USERS = Number(process.env.CAMPUS_TEST_BACKUP_USERS ?? 25)
const PASSPHRASE = 'open sesame, please'

describe('a school that is moved from one database to another and back', () => {
  let original: Installation
  let embedded: Installation
  let last: Installation
  let answers: Answers
  let token: string
  before(async () => {
    original = await installation(async ({ files }) => {
      const database = await seededDatabase({ users: USERS, locations: USERS * 2, now: NOW }, files)
      return { database, close: () => database.close() }
    })
    await keepSecretKey(original.config, randomBytes(32))
    token = await staffToken(original)
    answers = await readEverything(original, token)
  })
  after(async () => {
    for (const one of [original, embedded, last]) await one?.close()
  })

  it('is asked for everything', () => {
    const statuses = Map.groupBy(answers.values(), (answer) => answer.slice(0, 3))
    assert.ok(answers.size > 500, `${answers.size} answers`)
    assert.ok((statuses.get('200')?.length ?? 0) > answers.size * 0.9, [...statuses.keys()].join())
    assert.ok([...answers.keys()].some((address) => address.startsWith('/files/')))
  })

  it('answers every read from the embedded database as before, byte for byte', async () => {
    embedded = await installation(async (config) => {
      await giveCluster(config.data, 'empty')
      const opened = await openForCommand(config, 'test')
      return { database: opened.database, close: opened.close }
    })
    const file = join(original.config.data, 'first.campus')
    const { tables, files } = await backUpTo(file, original, PASSPHRASE)
    assert.equal(tables.users?.rows, USERS)
    assert.ok(files.count > 0)
    assert.deepEqual([files.missing, files.damaged], [[], []])
    const { migrations, leftOut } = await restoreFrom(file, embedded, { passphrase: PASSPHRASE })
    assert.deepEqual([migrations, leftOut], [[], []])
    assertSame(await readEverything(embedded, token), answers)
  })

  it('answers every read from a PostgreSQL server again, byte for byte', async () => {
    last = await installation(async () => {
      const database = await emptyDatabase()
      return { database, close: () => database.close() }
    })
    const file = join(original.config.data, 'second.campus')
    await backUpTo(file, embedded, PASSPHRASE)
    await restoreFrom(file, last, { passphrase: PASSPHRASE })
    assertSame(await readEverything(last, token), answers)
  })

  it('goes on counting ids where it was', async () => {
    const [before, after] = await Promise.all(
      [original, last].map(({ database }) => database.rows("select nextval(pg_get_serial_sequence('users', 'id'))")),
    )
    assert.deepEqual(after, before)
  })

  it('has the same counts as rows', async () => {
    const counts = 'select relation, sum(row_count) from row_counts group by 1 having sum(row_count) <> 0 order by 1'
    const kept = `select relation, series, keys, period, sum(row_count) from kept_counts
      group by 1, 2, 3, 4 having sum(row_count) <> 0 order by 1, 2, 3, 4`
    for (const query of [counts, kept]) {
      assert.deepEqual(await last.database.rows(query), await original.database.rows(query))
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
