/** A person's rows are bounded, however often they do what makes them, also at the same time. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { MAX_SESSIONS, startSession } from '../../src/domain/access/sessions.ts'
import { campus, type World } from '../support/campus.ts'
import { signedInOf } from '../support/people.ts'

const AT_ONCE = 10
const MAX_DRAFTS = 20
const BROWSER = { address: '127.0.0.1', userAgent: undefined }

describe('a person has at most', () => {
  let world: World
  before(async () => {
    world = await campus()
  })
  after(() => world.close())

  const count = async (rows: string) => Number((await world.database.rows(`select count(*) from ${rows}`))[0]?.[0])

  /** Signs in without the cost of a password. */
  async function start(userId: number, step?: string): Promise<string> {
    world.clock.advance(1)
    const now = world.clock.now()
    return world.database.transaction((tx) => startSession(tx, now, userId, BROWSER, { passed: ['password'], step }))
  }

  it(`${MAX_SESSIONS} sessions: another ends the one that was used least recently`, async () => {
    const { id, browser } = await signedInOf(world)
    const [first] = await world.database.rows('select id from sessions where user_id = $1', [id])
    for (let at = 1; at < MAX_SESSIONS; at += 1) await start(id)
    assert.equal(await count(`sessions where user_id = ${id}`), MAX_SESSIONS)
    assert.equal((await browser.get('/profile/picture')).status, 200)
    // The page has noted its visit, so that it is not the one.
    const [least] = await world.database.rows(
      'select id from sessions where user_id = $1 order by last_seen_at, id limit 1',
      [id],
    )
    assert.notDeepEqual(least, first)
    await Promise.all(Array.from({ length: AT_ONCE }, () => start(id)))
    await start(id)
    assert.equal(await count(`sessions where user_id = ${id}`), MAX_SESSIONS)
    assert.equal(await count(`sessions where id = ${least?.[0]}`), 0)
    assert.equal((await browser.get('/profile/picture')).status, 200)
  })

  it(`${MAX_SESSIONS} sign-ins that wait for a second factor, which end no session`, async () => {
    const { id, browser } = await signedInOf(world)
    for (let at = 0; at <= MAX_SESSIONS; at += 1) await start(id, 'second factor')
    assert.equal(await count(`sessions where user_id = ${id} and awaiting is not null`), MAX_SESSIONS)
    assert.equal((await browser.get('/profile/picture')).status, 200)
  })

  it(`${MAX_DRAFTS} import drafts: those that were imported stay longest`, async () => {
    const { id, browser } = await signedInOf(world, { kind: 'admin' })
    const upload = () => browser.upload('/staff/import/new/groups', { file: new File(['name\nX\n'], 'groups.csv') })
    const { location = '' } = await upload()
    const imported = location.split('/').at(-1)
    await world.database.rows('update import_drafts set ran_at = now() where id = $1', [imported])
    for (let at = 1; at < MAX_DRAFTS - 2; at += 1) await upload()
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, upload))
    for (const { status } of answers) assert.equal(status, 303)
    assert.equal(await count(`import_drafts where user_id = ${id}`), MAX_DRAFTS)
    assert.equal(await count(`import_drafts where id = '${imported}'`), 1)
  })
})
