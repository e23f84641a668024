import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { migrate, migrateAsFarAs } from '@campus/engine/database/migrate'
import { knownMigrations } from '@campus/engine/database/migrations'
import { sameVerifiedAddress } from '@campus/engine/database/same-name'
import { campus, type World } from '@campus/test/support/campus'
import { emptyDatabase } from '@campus/test/support/database'
import { createAccount } from '../../school/domain/accounts/accounts.ts'
import { collidingEmails } from '../../school/domain/accounts/colliding-emails.ts'
import { storageOfResources } from '../../school/resources/declared.ts'
import { SCHOOL_MIGRATIONS } from '../../school/resources/migrations.ts'
import { accounts } from '../../server/doctor/accounts.ts'
import { readConfig } from '../../settings/config.ts'
import { createSealing } from '../../webhooks/sealing.ts'

const NFC = 'zoé.lefèvre@école.example'.normalize('NFC')
const NFD = NFC.normalize('NFD')

describe('an e-mail address with accents', () => {
  let world: World
  before(async () => {
    world = await campus()
  })
  after(() => world.close())

  const userOf = (email: string, login?: string) => ({
    email,
    first_name: 'Zoé',
    last_name: 'Lefèvre',
    kind: 'student',
    ...(login && { login }),
  })
  const stored = async (login: string) =>
    (await world.database.rows('select email from users where login = $1', [login]))[0]?.[0]

  it('makes one account, whichever form is sent', async () => {
    assert.equal((await world.director.post('/v2/users', { user: userOf(NFD, 'zoe') })).status, 201)
    assert.equal(await stored('zoe'), NFC)
    for (const email of [NFC, NFD, NFD.toUpperCase().toLowerCase()]) {
      const { status, json } = await world.director.post('/v2/users', { user: userOf(email) })
      assert.deepEqual([status, json.errors], [422, { email: ['has already been taken'] }])
      await assert.rejects(
        world.database.transaction((tx) =>
          createAccount(tx, createSealing(), {
            values: userOf(email),
            actor: { userId: null },
            now: world.clock.now(),
          }),
        ),
        /has already been taken/,
      )
    }
  })

  it('is stored in one form by an update and found in both', async () => {
    await world.build.user({ login: 'other' })
    const email = 'renée@école.example'
    const user = { email: email.normalize('NFD') }
    assert.equal((await world.director.patch('/v2/users/other', { user })).status, 204)
    assert.equal(await stored('other'), email.normalize('NFC'))
    assert.equal((await world.director.patch('/v2/users/other', { user: { email: NFD } })).status, 422)
    for (const asked of [NFC, NFD]) {
      const { json } = await world.director.get(`/v2/users?filter[email]=${encodeURIComponent(asked)}`)
      assert.deepEqual(
        json.map(({ login }: { login: string }) => login),
        ['zoe'],
      )
    }
  })

  it("is the address that the school's provider sends only if the stored form is sent", async () => {
    for (const [sent, logins] of [
      [NFC, [{ login: 'zoe' }]],
      [NFD, []],
    ] as const) {
      const found = world.database.kysely.selectFrom('users').select('login').where(sameVerifiedAddress('email', sent))
      assert.deepEqual(await found.execute(), logins)
    }
  })

  it('does not become the address of another person by the Kelvin sign', async () => {
    await world.build.user({ login: 'kate', email: 'kate@school.example' })
    const email = '\u212aate@school.example'
    assert.equal((await world.director.post('/v2/users', { user: userOf(email, 'kelvin') })).status, 201)
    assert.equal(await stored('kelvin'), email)
    const { json } = await world.director.get(`/v2/users?filter[email]=${encodeURIComponent(email)}`)
    assert.deepEqual(
      json.map(({ login }: { login: string }) => login),
      ['kelvin'],
    )
  })
})

describe('a database with addresses in other forms', () => {
  it('is normalized, but for addresses that would collide, which are reported before and after', async () => {
    const database = await emptyDatabase()
    try {
      const known = await knownMigrations(SCHOOL_MIGRATIONS)
      await migrateAsFarAs(
        database.kysely,
        SCHOOL_MIGRATIONS,
        known.filter((name) => name < '0810'),
      )
      const insert = (login: string, email: string) =>
        database.rows(
          `insert into users (login, email, first_name, last_name, email_verified_at) values ($1, $2, 'A', 'B', '2026-01-01Z')`,
          [login, email],
        )
      await insert('plain', 'plain@school.test')
      await insert('alone', 'renée@school.test'.normalize('NFD'))
      await insert('kate', 'kate@school.test')
      await insert('kelvin', '\u212aate@school.test')
      await insert('composed', NFC)
      await insert('decomposed', NFD)
      const users = async () =>
        database.rows('select login, email, email_verified_at is not null from users order by id')
      const collisions = [{ email: NFC, logins: ['composed', 'decomposed'] }]
      assert.deepEqual(await collidingEmails(database), collisions)
      await migrate(database.kysely, storageOfResources())
      assert.deepEqual(await users(), [
        ['plain', 'plain@school.test', 't'],
        ['alone', 'renée@school.test'.normalize('NFC'), 't'],
        ['kate', 'kate@school.test', 't'],
        ['kelvin', '\u212aate@school.test', 't'],
        ['composed', NFC, 't'],
        ['decomposed', NFD, 't'],
      ])
      assert.deepEqual(await collidingEmails(database), collisions)
      const [finding, ...rest] = await accounts.look({ database, config: readConfig({}), now: new Date() })
      assert.equal(finding?.said, `composed and decomposed have the e-mail address ${NFC} in two Unicode forms`)
      assert.deepEqual(rest, [])
    } finally {
      await database.close()
    }
  })
})
