/** The number of a person's rows is bounded, however often and concurrently the person creates them. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { signedInOf } from '@campus/test/support/people'
import { until } from '@campus/test/support/until'
import { MAX_SESSIONS, startSession } from '../../access/sessions.ts'

const AT_ONCE = 10
const MAX_DRAFTS = 20
const CREATIONS = 1_200
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
    const nextToEnd = async () => {
      const statement = 'select id from sessions where user_id = $1 order by last_seen_at, id limit 1'
      return (await world.database.rows(statement, [id]))[0]?.[0]
    }
    // A visit is recorded after its answer.
    await until(async () => (await nextToEnd()) !== first?.[0])
    const unused = await nextToEnd()
    await Promise.all(Array.from({ length: AT_ONCE }, () => start(id)))
    await start(id)
    assert.equal(await count(`sessions where user_id = ${id}`), MAX_SESSIONS)
    assert.equal(await count(`sessions where id = ${unused}`), 0)
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
    const statuses = (await Promise.all(Array.from({ length: AT_ONCE }, upload))).map(({ status }) => status)
    // The queue of files to read refuses some of them.
    assert.deepEqual(
      statuses.filter((status) => status !== 303 && status !== 429),
      [],
    )
    assert.ok(statuses.filter((status) => status === 303).length > 2, String(statuses))
    assert.equal(await count(`import_drafts where user_id = ${id}`), MAX_DRAFTS)
    assert.equal(await count(`import_drafts where id = '${imported}'`), 1)
  })

  it(`${CREATIONS} creations an hour without a role, however many applications they use`, async () => {
    const scopes = ['public', 'forum']
    const [user, other] = [await world.build.user(), await world.build.user()]
    const applications = await Promise.all(Array.from({ length: AT_ONCE }, () => world.caller({ user, scopes })))
    // Requests without a payload are counted, too, and create nothing.
    const create = (client: Client) => client.post('/v2/topics', {})
    const created = await Promise.all(
      applications.map(async (client) => {
        const statuses: number[] = []
        for (let at = 0; at <= CREATIONS / AT_ONCE; at += 1) statuses.push((await create(client)).status)
        return statuses
      }),
    )
    const statuses = created.flat()
    assert.equal(statuses.filter((status) => status === 400).length, CREATIONS)
    assert.equal(statuses.filter((status) => status === 429).length, AT_ONCE)
    const another = await world.caller({ user, scopes })
    const refused = await create(another)
    assert.deepEqual([refused.status, refused.json.message.slice(0, 22)], [429, 'A person may create 12'])
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.equal((await another.get('/v2/topics')).status, 200)
    assert.equal((await create(await world.caller({ user: other, scopes }))).status, 400)
    assert.equal((await create(await world.caller({ user, scopes, roles: ['Moderator'] }))).status, 400)
  })
})
