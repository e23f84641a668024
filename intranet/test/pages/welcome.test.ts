import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { visitorOf } from '@campus/test/support/visitor'
import { createFirstLink } from '../../school/domain/accounts/first-administrator.ts'

const PASSWORD = 'correct horse battery'
const FORM = { first_name: 'Ada', last_name: 'Byron', email: 'ada@campus.test', login: '' }
const ACCOUNT = { ...FORM, password: PASSWORD, password_again: PASSWORD }

describe('the link of an empty school', () => {
  let world: World
  beforeEach(async () => {
    await world?.close()
    world = await campus()
    await world.database.rows('delete from users')
  })
  after(() => world.close())

  const newLink = () => createFirstLink(world.database, world.clock.now())

  async function link(): Promise<string> {
    const path = await newLink()
    assert.ok(path)
    return path
  }

  const people = () => world.database.rows('select login, kind from users')

  test('opens the account of an administrator, who signs in and sees the pages of staff', async () => {
    const browser = visitorOf(world)
    const path = await link()
    assert.equal((await browser.get(path)).heading, 'Welcome to your campus')
    assert.equal((await browser.submit(path, ACCOUNT)).location, '/sign-in')
    assert.match((await browser.get('/sign-in')).text, /Your login is abyron/)
    await browser.signIn('abyron', PASSWORD)
    assert.equal((await browser.get('/staff/users')).status, 200)
    assert.deepEqual(await people(), [['abyron', 'admin']])
  })

  test('works once, for one of two who hold it, and ends when a newer one is made or a day has passed', async () => {
    const former = await link()
    const path = await link()
    const [one, other] = [visitorOf(world), visitorOf(world)]
    assert.equal((await one.get(former)).status, 404)
    const answers = await Promise.all([
      one.submit(path, ACCOUNT),
      other.submit(path, { ...ACCOUNT, email: 'eve@campus.test', last_name: 'Eve' }),
    ])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 404])
    assert.equal((await people()).length, 1)
    assert.equal((await one.get(path)).status, 404)
    assert.equal(await newLink(), undefined, 'a school with people has no such link')
  })

  test('does not outlive its day, nor an administrator who came another way', async () => {
    const path = await link()
    await world.build.user({ login: 'boss', kind: 'admin' })
    assert.equal((await visitorOf(world).get(path)).status, 404)
    await world.database.rows('delete from users')
    assert.equal((await visitorOf(world).get(path)).status, 200)
    const browser = visitorOf(world)
    world.clock.advance(24 * 3600)
    assert.equal((await browser.get(path)).status, 404)
    assert.deepEqual(await people(), [])
  })

  test('names every mistake, keeps what was typed, and is not used up by it', async () => {
    const browser = visitorOf(world)
    const path = await link()
    const page = await browser.submit(path, { ...ACCOUNT, email: 'nowhere', first_name: '' })
    assert.equal(page.status, 422)
    assert.match(page.text, /must look like name@example\.org/)
    assert.match(page.text, /value="Byron"/)
    assert.deepEqual(await people(), [])
    assert.equal((await browser.submit(path, { ...ACCOUNT, password_again: 'other' })).status, 422)
    assert.equal((await browser.submit(path, ACCOUNT)).status, 303)
  })

  test('a guessed link is nothing, and guessing is limited', async () => {
    const browser = visitorOf(world)
    const statuses = new Set<number>()
    for (let n = 0; n < 101; n += 1) statuses.add((await browser.get(`/welcome?token=${n}`)).status)
    assert.deepEqual([...statuses], [404, 429])
    assert.equal((await browser.get(await link())).status, 200, 'whoever holds one is let in')
  })
})
