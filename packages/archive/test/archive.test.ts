import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { migrateAsFarAs } from '@campus/engine/database/migrate'
import { knownMigrations } from '@campus/engine/database/migrations'
import { SCHOOL_MIGRATIONS } from '@campus/intranet/school/resources/migrations'
import { openStore } from '@campus/intranet/services/attachments/open-store'
import { keyOf } from '@campus/intranet/services/attachments/stored-files'
import { SEALED_COLUMNS } from '@campus/intranet/services/sealing/sealed-columns'
import { Sealer } from '@campus/intranet/services/sealing/sealer'
import { findSecretKey, storeSecretKey } from '@campus/intranet/services/sealing/secret-key'
import { standAsFormer } from '@campus/test/support/former-migrations'
import { backUpTo, type Installation, restoreFrom } from './installation.ts'
import { AWKWARD, emptyInstallation, FACTOR, SECRET, smallSchool } from './small-school.ts'

const PASSPHRASE = { passphrase: 'open sesame, please' }

describe('an archive', () => {
  let school: Installation
  let file: string
  /** Installation into which the archive was restored. */
  let target: Installation
  let restored: Awaited<ReturnType<typeof restoreFrom>>
  const opened: Installation[] = []
  before(async () => {
    school = await smallSchool()
    await oweMessages(school)
    file = join(school.config.data, 'school.campus')
    await backUpTo(file, school, PASSPHRASE.passphrase)
    target = await empty()
    restored = await restoreFrom(file, target, PASSPHRASE)
  })
  after(async () => {
    for (const one of [school, ...opened]) await one.close()
  })

  async function empty(): Promise<Installation> {
    const one = await emptyInstallation()
    opened.push(one)
    return one
  }

  const keyOfInstallation = async ({ config }: Installation) => (await findSecretKey(config)) as Buffer
  const secretsOf = async (one: Installation) => {
    const sealer = new Sealer(await keyOfInstallation(one))
    const [endpoint] = await one.database.rows('select secret, secret_digest from endpoints')
    const [factor] = await one.database.rows('select sealed_secret from second_factors')
    const open = (text: unknown) => sealer.open(String(text))
    return { secret: open(endpoint?.[0]), isFound: endpoint?.[1] === sealer.digest(SECRET), factor: open(factor?.[0]) }
  }

  it('keeps whatever text there is', async () => {
    assert.deepEqual(await target.database.rows('select first_name from users order by id'), [[AWKWARD], ['Ada']])
  })

  it('gives an installation without a key the one that sealed its secrets', async () => {
    assert.deepEqual(await keyOfInstallation(target), await keyOfInstallation(school))
    assert.deepEqual(await secretsOf(target), { secret: SECRET, isFound: true, factor: FACTOR })
  })

  it('has its secrets sealed anew for an installation with a key of its own', async () => {
    const other = await empty()
    await storeSecretKey(other.config, randomBytes(32))
    await restoreFrom(file, other, PASSPHRASE)
    assert.notDeepEqual(await keyOfInstallation(other), await keyOfInstallation(school))
    assert.deepEqual(await secretsOf(other), { secret: SECRET, isFound: true, factor: FACTOR })
  })

  it('knows every column that is sealed with the key', async () => {
    const sealer = new Sealer(await keyOfInstallation(school))
    const columns = await school.database.rows(`select table_name, column_name from information_schema.columns
      where table_schema = 'public' and data_type in ('text', 'character varying')`)
    const found: string[] = []
    for (const [table, column] of columns) {
      const values = await school.database.rows(
        `select "${column}" from "${table}" where "${column}" is not null limit 10`,
      )
      if (values.some(([text]) => isSealed(sealer, String(text)))) found.push(`${table}.${column}`)
    }
    assert.deepEqual(found.sort(), Object.keys(SEALED_COLUMNS))
  })

  it('restored as a copy for trials calls no webservice and mails nobody', async () => {
    const waiting = `select (select count(*) from endpoints where active), (select count(*) from mails where decided_at is null),
      (select count(*) from deliveries where state = 'pending')`
    assert.deepEqual(await target.database.rows(waiting), [['1', '1', '1']])
    const trial = await empty()
    await restoreFrom(file, trial, PASSPHRASE, { isTrial: true })
    assert.deepEqual(await trial.database.rows(waiting), [['0', '0', '0']])
  })

  it('is restored with the same functions, triggers, indexes and keys', async () => {
    const found = await target.database.rows(OBJECTS)
    assert.deepEqual(found, await school.database.rows(OBJECTS))
    assert.ok(found.length > 500)
  })

  it('brings files along, and says which the storage lacks or has otherwise', async () => {
    assert.deepEqual(restored.contents.manifest.files, { count: 1, bytes: 100_000, missing: [], damaged: [] })
    const [row] = await target.database.rows('select id, digest from stored_files')
    const [id, digest] = [Number(row?.[0]), String(row?.[1])]
    const path = keyOf({ id, digest })
    const bytes = (one: Installation) => readFile(join(one.config.files, path))
    assert.deepEqual(await bytes(target), await bytes(school))

    const again = join(target.config.data, 'again.campus')
    await (await openStore(target.config)).remove(path)
    assert.deepEqual((await backUpTo(again, target)).files, { count: 0, bytes: 0, missing: [digest], damaged: [] })
  })

  it('is not written to its name before it is whole', async () => {
    const names = (await readdir(school.config.data)).filter((name) => name.startsWith('school'))
    assert.deepEqual(names, ['school.campus'])
  })

  it('is a tar that other tools open', async (context) => {
    const plain = join(school.config.data, 'plain.campus')
    await backUpTo(plain, school)
    const run = promisify(execFile)
    const listed = await run('tar', ['--zstd', '--list', '--file', plain]).catch(() => undefined)
    if (!listed) return context.skip('SKIPPED: there is no tar with zstd here')
    const names = listed.stdout.trim().split('\n')
    assert.deepEqual([names[0], names.at(-1)], ['campus.json', 'manifest.json'])
    assert.ok(names.includes('tables/users/000001.ndjson'))
    const { stdout } = await run('tar', [
      '--zstd',
      '--extract',
      '--to-stdout',
      '--file',
      plain,
      'tables/users/000001.ndjson',
    ])
    const [first] = stdout.split('\n')
    assert.ok(JSON.parse(String(first)).includes(AWKWARD))
    await rm(plain)
  })

  it('of an older version is brought to this one by the ordinary migrations', async () => {
    const [older, newer] = [await empty(), await empty()]
    const known = await knownMigrations(SCHOOL_MIGRATIONS)
    await migrateAsFarAs(older.database.kysely, SCHOOL_MIGRATIONS, known.slice(0, -2))
    await older.database.rows("insert into languages (name, identifier) values ('English', 'en')")
    const archive = join(older.config.data, 'older.campus')
    await backUpTo(archive, older)
    const { migrations } = await restoreFrom(archive, newer)
    assert.deepEqual(migrations, known.slice(-2))
    assert.deepEqual(await newer.database.rows('select name from languages'), [['English']])
  })

  it('of the last unreleased version is restored, and of no version before', async () => {
    const [older, newer] = [await empty(), await empty()]
    const known = await knownMigrations(SCHOOL_MIGRATIONS)
    await migrateAsFarAs(older.database.kysely, SCHOOL_MIGRATIONS, known)
    await older.database.rows("insert into languages (name, identifier) values ('English', 'en')")
    const archive = join(older.config.data, 'former.campus')
    await standAsFormer(older.database.rows, { without: 1 })
    await backUpTo(archive, older)
    await assert.rejects(restoreFrom(archive, newer), /cannot be restored: .* are of no release: .*commit/)
    await standAsFormer(older.database.rows)
    await rm(archive)
    await backUpTo(archive, older)
    const { migrations } = await restoreFrom(archive, newer)
    assert.deepEqual(migrations, [])
    assert.deepEqual(await newer.database.rows('select name from languages'), [['English']])
    assert.deepEqual((await newer.database.rows('select name from kysely_migration order by 1')).flat(), known)
  })

  it('is one point in time, whoever writes meanwhile', async () => {
    const { database } = school
    let isDone = false
    let written = 0
    const move = () =>
      database.transaction(async (tx) => {
        await tx.rows('update users set wallet = wallet - 1 where id = (select min(id) from users)')
        await tx.rows('insert into cursus (name, slug) values ($1, $1)', [`cursus-${written}`])
        await tx.rows('update users set wallet = wallet + 1 where id = (select max(id) from users)')
        await tx.rows("insert into tags (name, kind) values ($1, 'other')", [`tag-${written}`])
      })
    const writing = (async () => {
      while (!isDone) {
        await move()
        written += 1
      }
    })()
    const busy = join(school.config.data, 'busy.campus')
    const before = written
    await backUpTo(busy, school, PASSPHRASE.passphrase)
    const after = written
    isDone = true
    await writing
    assert.ok(after > before, 'somebody wrote meanwhile')
    const copy = await empty()
    await restoreFrom(busy, copy, PASSPHRASE)
    const [sums] = await copy.database.rows(
      `select (select sum(wallet) from users), (select count(*) from cursus) - (select count(*) from tags where name like 'tag-%'),
         1000 - (select min(wallet) from users) - (select count(*) from tags where name like 'tag-%')`,
    )
    assert.deepEqual(sums, ['2000', '0', '0'])
  })
})

/** A mail and a call of a webservice that are still to be sent. */
async function oweMessages({ database: { rows } }: Installation): Promise<void> {
  await rows("insert into mails (kind, user_id, due_at, created_at) select 'reset', min(id), now(), now() from users")
  await rows('update endpoints set active = true')
  await rows(
    `insert into deliveries (endpoint_id, event, user_id, login, record, due_at)
     select e.id, 'moved_to_your_campus', u.id, u.login, '{}', now() from endpoints e, users u limit 1`,
  )
}

const OBJECTS = `
  select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'
  union all select pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
  union all select indexdef from pg_indexes where schemaname = 'public'
  union all select conrelid::regclass::text || conname::text || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
  order by 1`

function isSealed(sealer: Sealer, text: string): boolean {
  try {
    sealer.open(text)
    return true
  } catch {
    return false
  }
}
