import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { migrate } from '@campus/engine/database/migrate'
import { storageOfResources } from '@campus/intranet/school/resources/declared'
import { secretKey } from '@campus/intranet/server/doctor/secret-key'
import { claimSecretKey, refuseOtherKey } from '@campus/intranet/services/sealing/check-key'
import { SEALED_COLUMNS, SEALED_PLACES } from '@campus/intranet/services/sealing/sealed-columns'
import { Sealer } from '@campus/intranet/services/sealing/sealer'
import { findSecretKey, keyIdOf, storeSecretKey } from '@campus/intranet/services/sealing/secret-key'
import { createSealing } from '@campus/intranet/webhooks/sealing'
import { runCommand } from '@campus/test/support/run-command'
import { type Installation, restoreFrom } from './installation.ts'
import { emptyInstallation, FACTOR, HOOK, PREVIEW, SECRET, smallSchool, TABLE, urlOf } from './small-school.ts'

const PASSPHRASE = 'open sesame, please'
const sealer = new Sealer(Buffer.alloc(32, 7))

describe('the secret key and what it seals', () => {
  let school: Installation
  let plain: string
  let encrypted: string
  let keyless: string
  const opened: Installation[] = []
  before(async () => {
    school = await smallSchool()
    ;[plain, encrypted, keyless] = ['plain', 'encrypted', 'keyless'].map((name) =>
      join(school.config.data, `${name}.campus`),
    ) as [string, string, string]
  })
  after(async () => {
    for (const one of [school, ...opened]) await one.close()
  })

  async function empty(key?: Buffer): Promise<Installation> {
    const one = await emptyInstallation()
    opened.push(one)
    if (key) await storeSecretKey(one.config, key)
    return one
  }
  const keyOf = async ({ config }: Installation) => (await findSecretKey(config)) as Buffer
  const campus = async (one: Installation, words: readonly string[], env: Record<string, string> = {}) =>
    runCommand(words, { CAMPUS_DATA: one.config.data, DATABASE_URL: await urlOf(one.database), ...env })
  const isEmpty = async ({ database }: Installation) =>
    (await database.rows("select from pg_class where relnamespace = 'public'::regnamespace")).length === 0

  it('seals only for columns that a restore knows', () => {
    assert.throws(
      () => sealer.seal('users.password' as never, 'x'),
      /users\.password is sealed and not in SEALED_COLUMNS/,
    )
  })

  it('knows every column of the database that is named after being sealed', async () => {
    const found = await school.database.rows(
      `select table_name || '.' || column_name from information_schema.columns
       where table_schema = 'public' and column_name like 'sealed\\_%' and column_name <> 'sealed_by' order by 1`,
    )
    const known: readonly string[] = Object.keys(SEALED_COLUMNS)
    assert.ok(found.length >= 4)
    assert.deepEqual(
      found.flat().filter((name) => !known.includes(String(name))),
      [],
    )
  })

  it('is in an encrypted archive unless --without-key is given, and in no other, as the commands say', async () => {
    const key = await keyOf(school)
    const said = async (file: string, words: readonly string[] = [], env = {}) => {
      const { code, stdout, stderr } = await campus(school, ['backup', file, ...words], env)
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
      return stdout
    }
    const env = { CAMPUS_BACKUP_PASSPHRASE: PASSPHRASE }
    assert.match(
      await said(plain),
      /Anybody who has the file can read it.* It does not hold the secret key \(id [0-9a-f]{16}\)/,
    )
    assert.match(await said(encrypted, [], env), /its passphrase is needed.* It holds the secret key\./)
    assert.match(
      await said(keyless, ['--without-key'], env),
      /its passphrase is needed.* It does not hold the secret key/,
    )
    const check = async (one: Installation, file: string) => {
      const { code, stdout } = await campus(one, ['restore', file, '--check', '--json'], env)
      assert.equal(code, 0)
      const { key: fit, key_id } = JSON.parse(stdout)
      assert.equal(key_id, keyIdOf(key))
      return fit
    }
    const other = await empty(randomBytes(32))
    assert.deepEqual(await check(other, plain), 'missing')
    assert.deepEqual(await check(other, encrypted), 'held')
    assert.deepEqual(await check(other, keyless), 'missing')
    assert.deepEqual(await check(school, plain), 'own')
    const { stdout } = await campus(other, ['restore', plain, '--check'])
    assert.match(
      stdout,
      new RegExp(`\\(id ${keyIdOf(key)}\\) is not here: the key here has the id ${keyIdOf(await keyOf(other))}`),
    )
  })

  it('is asked for before a restore or a trial touches the database', async () => {
    for (const words of [[], ['--trial']]) {
      const one = await empty()
      const { code, stderr } = await campus(one, ['restore', plain, ...words])
      assert.equal(code, 1)
      assert.match(stderr, /put the secret\.key of that installation .*--without-secrets/)
      assert.ok(await isEmpty(one))
      assert.equal(existsSync(join(one.config.data, 'secret.key')), false)
    }
  })

  it('is replaced by that of the installation in every column, when an encrypted archive is restored', async () => {
    const other = await empty(randomBytes(32))
    await restoreFrom(encrypted, other, { passphrase: PASSPHRASE })
    const own = new Sealer(await keyOf(other))
    const plainTexts = new Map<string, string>()
    for (const { name, table, column } of SEALED_PLACES) {
      const [row] = await other.database.rows(`select ${column} from ${table}`)
      plainTexts.set(name, own.open(String(row?.[0])))
    }
    assert.match(String(plainTexts.get('signing_keys.sealed_key')), /BEGIN PRIVATE KEY/)
    plainTexts.delete('signing_keys.sealed_key')
    assert.deepEqual(
      plainTexts,
      new Map([
        ['endpoints.secret', SECRET],
        ['import_drafts.sealed_preview', PREVIEW],
        ['import_drafts.sealed_table', TABLE],
        ['second_factors.sealed_secret', FACTOR],
        ['webhooks.secret', HOOK],
      ]),
    )
    const [row] = await other.database.rows('select key_id from installation')
    assert.equal(row?.[0], keyIdOf(await keyOf(other)))
  })

  it('can be lost: --without-secrets restores all else, and names what must be set again', async () => {
    const one = await empty()
    const { code, stdout, stderr } = await campus(one, ['restore', plain, '--without-secrets', '--json'])
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    const [user] = await school.database.rows(
      'select login from users u join second_factors f on f.user_id = u.id where confirmed_at is not null',
    )
    const { webservices, webhooks, apps, drafts } = JSON.parse(stdout).lost_secrets
    assert.deepEqual([webservices[0].url, webservices.length], ['https://hooks.example', 1])
    assert.deepEqual([webhooks[0].application, webhooks[0].url, drafts], ['Wall', 'https://wall.example/hook', 1])
    assert.deepEqual(apps, [user?.[0]])
    assert.deepEqual(
      await one.database.rows(`select (select count(*) from users), (select count(*) from second_factors),
        (select count(*) from import_drafts), (select count(*) from signing_keys),
        (select string_agg(active::text || coalesce(switched_off_because, ''), ' ') from webhooks), (select count(secret) from endpoints)`),
      [['2', '0', '0', '0', 'falsesecret_lost', '0']],
    )
    await claimSecretKey(one.database, one.config)
    const again = await empty(await keyOf(school))
    const refused = await campus(again, ['restore', plain, '--without-secrets'])
    assert.match(refused.stderr, /Omit --without-secrets/)
    assert.ok(await isEmpty(again))
  })

  it('leaves out and counts passwords of deliveries that are sealed to a process, not to the operator’s key', async () => {
    const { rows } = school.database
    const shared = randomBytes(32)
    const sealings = [createSealing(), createSealing(shared)]
    for (const sealing of sealings)
      await rows(
        `insert into deliveries (endpoint_id, event, user_id, login, record, due_at, sealed, sealed_by, secrets)
         select e.id, 'moved_to_your_campus', u.id, u.login, '{}', now(), $1, $2, 'sealed' from endpoints e, users u limit 1`,
        [sealing.seal('{}'), sealing.id],
      )
    const file = join(school.config.data, 'deliveries.campus')
    const env = { CAMPUS_SEALING_KEY: shared.toString('hex') }
    const { stdout } = await campus(school, ['backup', file], env)
    assert.match(stdout, /Passwords and metas of 1 pending deliveries are not in it/)
    const one = await empty(await keyOf(school))
    const restored = await campus(one, ['restore', file])
    assert.match(restored.stdout, /Passwords and metas of 1 pending deliveries were not in it/)
    assert.deepEqual(await one.database.rows('select sealed_by, sealed is null, secrets from deliveries order by id'), [
      [null, 't', 'lost'],
      [sealings[1]?.id, 'f', 'sealed'],
    ])
    await rows('delete from deliveries')
  })

  it('stops a start if it is another than that of the database, before another key is made', async () => {
    await claimSecretKey(school.database, school.config)
    const path = join(school.config.data, 'secret.key')
    const right = await readFile(path, 'utf8')
    const id = keyIdOf(await keyOf(school))
    const look = async () => (await secretKey.look({ ...school, now: new Date() })).map(({ state }) => state)
    try {
      assert.deepEqual(await look(), ['well'])
      for (const wrong of [undefined, `${'ab'.repeat(32)}\n`]) {
        await (wrong === undefined ? rm(path) : writeFile(path, wrong))
        const { code, stderr } = await campus(school, ['serve', '--empty', '--port', '0'])
        assert.equal(code, 1)
        assert.match(
          stderr,
          new RegExp(`^CAMPUS_SECRET_KEY, or the file secret\\.key in CAMPUS_DATA, must be .*\\(its id is ${id}\\)`),
        )
        assert.equal(existsSync(path), wrong !== undefined)
        assert.deepEqual(await look(), ['fault'])
      }
    } finally {
      await writeFile(path, right)
    }
  })

  it('is compared with what is sealed in a database of a former release', async () => {
    const { rows } = school.database
    await rows('update installation set key_id = null')
    const config = { ...school.config, secretKey: randomBytes(32) }
    await assert.rejects(refuseOtherKey(school.database, config), /must be the key that the secrets/)
    // A restore of a former release left these under another key.
    await rows(`update webhooks set secret = $1`, [sealer.seal('webhooks.secret', 'other')])
    await claimSecretKey(school.database, school.config)
    assert.deepEqual(await rows('select key_id from installation'), [[keyIdOf(await keyOf(school))]])
    await assert.rejects(claimSecretKey(school.database, config), /must be the key/)
  })

  it('is found among many secrets that a former release left under another key', async () => {
    const one = await empty(await keyOf(school))
    await migrate(one.database.kysely, storageOfResources())
    const other = new Sealer(randomBytes(32))
    const seals = [...Array.from({ length: 20 }, () => other), new Sealer(await keyOf(school))]
    for (const [at, key] of seals.entries())
      await one.database.rows('insert into endpoints (url, secret) values ($1, $2)', [
        `https://hooks.example/${at}`,
        key.seal('endpoints.secret', 'secret'),
      ])
    await claimSecretKey(one.database, one.config)
    await assert.rejects(claimSecretKey(one.database, { ...one.config, secretKey: randomBytes(32) }), /must be the key/)
  })

  it('can be reset in the database if it is lost, and only then', async () => {
    const held = await campus(school, ['secret-key', 'reset'])
    assert.equal(held.code, 1)
    assert.match(held.stderr, /Nothing is lost/)
    const env = { CAMPUS_SECRET_KEY: randomBytes(32).toString('hex') }
    const { code, stdout } = await campus(school, ['secret-key', 'reset'], env)
    assert.equal(code, 0)
    assert.match(stdout, /is now the key of the database\.\n.*webservices.*\n {2}https:\/\/hooks\.example\n/)
    await refuseOtherKey(school.database, { ...school.config, secretKey: Buffer.from(env.CAMPUS_SECRET_KEY, 'hex') })
  })
})
