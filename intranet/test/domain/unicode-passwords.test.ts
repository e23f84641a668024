import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { setPassword } from '@campus/test/support/passwords'
import { PASSWORD, signedInOf } from '@campus/test/support/people'
import { visitorOf } from '@campus/test/support/visitor'
import { createPasswordReset } from '../../access/password-resets.ts'
import { provePassword } from '../../access/prove-password.ts'
import { importForCommand } from '../../cli/import-command.ts'
import { readPassword } from '../../cli/read-password.ts'
import { createSealing } from '../../webhooks/sealing.ts'
import { sending } from '../webhooks/sending.ts'

const COMPOSED = 'pâté-élève-ñandú'.normalize('NFC')
const DECOMPOSED = COMPOSED.normalize('NFD')
const FORMS = { NFC: COMPOSED, NFD: DECOMPOSED } as const

describe('a password with accents', () => {
  let world: World
  before(async () => {
    world = await campus()
  })
  after(() => world.close())

  const sealing = createSealing()
  /** Each way to set a password. Returns the login of the account. */
  const WAYS: Readonly<Record<string, (login: string, password: string) => Promise<unknown>>> = {
    async 'POST /v2/users'(login, password) {
      const user = { login, email: `${login}@school.test`, first_name: 'A', last_name: 'B', kind: 'student', password }
      assert.equal((await world.director.post('/v2/users', { user })).status, 201)
    },
    async 'PATCH /v2/users/:id'(login, password) {
      await world.build.user({ login })
      assert.equal((await world.director.patch(`/v2/users/${login}`, { user: { password } })).status, 204)
    },
    async '/security/password'(login, password) {
      const { browser } = await signedInOf(world, { login })
      const values = { current_password: PASSWORD, password, password_again: COMPOSED }
      assert.equal((await browser.submit('/security/password', values)).status, 303)
    },
    async '/reset-password'(login, password) {
      await world.build.user({ login })
      const { path } = await world.database.transaction((tx) =>
        createPasswordReset(tx, world.clock.now(), { login, actor: { userId: null } }),
      )
      const page = await visitorOf(world).submit(path, { password, password_again: DECOMPOSED })
      assert.equal(page.status, 303)
    },
    async '--password-stdin'(login, password) {
      await world.build.user({ login })
      const typed = await readPassword(Readable.from([`${password}\n`]))
      await setPassword(world.database, login, typed, world.clock.now(), sealing)
    },
    async 'an import'(login, password) {
      const file = join(world.config.data, `${login}.csv`)
      await writeFile(
        file,
        `login,email,first_name,last_name,kind,password\n${login},${login}@a.test,A,B,student,${password}\n`,
      )
      const dependencies = { database: world.database, config: world.config, sealing: async () => sealing }
      const options = { hasOwnIds: false, takesGoodRows: false, isTrial: false, sendsWebhooks: false }
      await importForCommand(dependencies, { resource: 'users', file, ...options }, () => {})
    },
  }

  for (const [way, set] of Object.entries(WAYS))
    for (const [form, password] of Object.entries(FORMS))
      it(`set by ${way} in ${form} is typed in both forms`, async () => {
        const login = `one${Object.keys(WAYS).indexOf(way)}${form.toLowerCase()}`
        await set(login, password)
        for (const typed of Object.values(FORMS)) await visitorOf(world).signIn(login, typed)
        const { status } = await visitorOf(world).submit('/sign-in', { login, password: COMPOSED.replace('é', 'e') })
        assert.equal(status, 422)
      })

  it('is asked for again in both forms', async () => {
    const { browser, login } = await signedInOf(world)
    const change = (current_password: string, password: string) =>
      browser.submit('/security/password', { current_password, password, password_again: password })
    assert.equal((await change(PASSWORD, COMPOSED)).status, 303)
    assert.equal((await change(DECOMPOSED, 'another long password')).status, 303)
    await visitorOf(world).signIn(login, 'another long password')
  })

  it('counts each letter once for the minimum length', async () => {
    const user = {
      login: 'short',
      email: 'short@school.test',
      first_name: 'A',
      last_name: 'B',
      kind: 'student',
      password: 'éééé'.normalize('NFD'),
    }
    const { status, json } = await world.director.post('/v2/users', { user })
    assert.deepEqual([status, Object.keys(json.errors)], [422, ['password']])
  })

  describe('hashed as it was typed by a former release', () => {
    const digestOf = async (id: number) =>
      (await world.database.rows('select password_digest from users where id = $1', [id]))[0]?.[0]

    it('still signs in, and afterwards in both forms, in the same session', async () => {
      const id = await world.build.user({ login: 'former', password_digest: digestAsTyped(DECOMPOSED) })
      const stored = await digestOf(id)
      const refused = await visitorOf(world).submit('/sign-in', {
        login: 'former',
        password: 'wrong é'.normalize('NFD'),
      })
      assert.deepEqual([refused.status, await digestOf(id)], [422, stored])
      const browser = visitorOf(world)
      await browser.signIn('former', DECOMPOSED)
      assert.notEqual(await digestOf(id), stored)
      for (const typed of Object.values(FORMS)) await visitorOf(world).signIn('former', typed)
      assert.equal((await browser.get('/security')).status, 200)
    })
  })
})

describe('the call to a campus about a password with accents', () => {
  it('sends the characters that were typed, and is not made when only the digest is replaced', async () => {
    const world = await sending()
    try {
      const id = await world.user('called')
      await world.settle()
      await world.database.transaction((tx) => setPassword(tx, 'called', DECOMPOSED, world.now(), world.sealing))
      await world.settle()
      assert.equal(world.receiver.calls.at(-1)?.body.password, DECOMPOSED)
      const former = { id, password_digest: digestAsTyped(DECOMPOSED) }
      await world.database.rows('update users set password_digest = $2 where id = $1', [id, former.password_digest])
      await world.settle()
      const made = (await world.rows()).length
      assert.equal(await provePassword(world.database, former, DECOMPOSED), true)
      await world.settle()
      assert.equal((await world.rows()).length, made)
      const [row] = await world.database.rows('select password_digest from users where id = $1', [id])
      assert.notEqual(row?.[0], former.password_digest)
    } finally {
      await world.close()
    }
  })
})

/** Returns the digest that a former release stored. It hashed the characters as typed, without normalization. */
function digestAsTyped(message: string): string {
  const nonce = Buffer.alloc(16)
  const hash = argon2Sync('argon2id', { message, nonce, tagLength: 32, memory: 8, passes: 1, parallelism: 1 })
  const [salt, proof] = [nonce, hash].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
  return `$argon2id$v=19$m=8,t=1,p=1$${salt}$${proof}`
}
