import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { HttpError } from '@campus/engine/errors'
import { campus, type World } from '@campus/test/support/campus'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import { closedTeam, openProject, type Project } from '@campus/test/support/projects'
import { offered } from '@campus/test/support/slots'
import { announce } from '../../school/domain/notifications/announce.ts'
import { sweep } from '../../server/app/housekeeping.ts'
import { remindOfEvaluations } from '../../services/notifications/notify.ts'

describe('notifications', () => {
  let world: World
  let place: Project
  let ada: SignedIn
  let bob: SignedIn
  let cyd: SignedIn
  let team: number
  let evaluation: number
  before(async () => {
    world = await campus({})
    place = await openProject(world, { scale: { correction_number: 1 } })
    ;[ada, bob, cyd] = [await enrolled('ada'), await enrolled('bob'), await enrolled('cyd')]
  })
  after(() => world.close())

  async function enrolled(login: string): Promise<SignedIn> {
    const one = await signedInOf(world, { login, correction_point: 5 })
    await world.build.record('campus_users', { user_id: one.id, campus_id: place.campus, is_primary: true })
    const begin_at = '2026-01-01T00:00:00Z'
    await world.build.record('cursus_users', { user_id: one.id, cursus_id: place.cursus, begin_at })
    return one
  }
  const kindsOf = async ({ id }: SignedIn) =>
    (await world.database.rows('select kind from notifications where user_id = $1 order by id', [id])).map(
      ([kind]) => kind,
    )
  const clientOf = ({ id }: SignedIn) => world.caller({ user: id, scopes: ['public', 'projects'] })
  const tutor = () => world.caller({ roles: ['Advanced Tutor'], scopes: ['public', 'projects'] })

  it('say that a team is locked to its other members', async () => {
    const client = await clientOf(ada)
    team = (await client.post('/v2/teams', { team: { project_id: place.project } })).json.id
    await world.build.record('teams_users', { team_id: team, user_id: bob.id, validated: true })
    assert.equal((await client.patch(`/v2/teams/${team}`, { team: { locked_at: '2026-03-01T00:00:00Z' } })).status, 204)
    assert.equal((await client.patch(`/v2/teams/${team}`, { team: { closed_at: '2026-03-01T00:00:00Z' } })).status, 204)
    assert.deepEqual([await kindsOf(ada), await kindsOf(bob)], [[], ['team_locked']])
  })

  it('say that an evaluation is booked to everybody but who booked, and name nobody', async () => {
    await offered(world, cyd.id, '2026-03-03T09:00:00Z')
    const booking = { scale_team: { team_id: team, begin_at: '2026-03-03T09:00:00Z' } }
    evaluation = (await (await clientOf(ada)).post('/v2/scale_teams', booking)).json.id
    assert.deepEqual(
      [await kindsOf(ada), await kindsOf(bob), await kindsOf(cyd)],
      [[], ['team_locked', 'evaluation_booked'], ['evaluation_booked']],
    )
    const { text } = await bob.browser.get('/notifications')
    assert.match(text, /is booked for 3 Mar 2026, 09:00/)
    assert.doesNotMatch(text, /\bcyd\b/)
    assert.match(text, /class="count" aria-hidden="true">2</)
  })

  it('remind participants a quarter of an hour before, once', async () => {
    world.clock.set('2026-03-03T08:44:00Z')
    assert.equal(await remindOfEvaluations(world.database, world.clock.now()), 0)
    world.clock.set('2026-03-03T08:50:00Z')
    assert.equal(await remindOfEvaluations(world.database, world.clock.now()), 3)
    assert.equal(await remindOfEvaluations(world.database, world.clock.now()), 0)
    for (const one of [ada, bob, cyd]) assert.equal((await kindsOf(one)).at(-1), 'evaluation_soon')
  })

  it('say that one is cancelled, and that a project is marked', async () => {
    assert.equal((await (await clientOf(cyd)).delete(`/v2/scale_teams/${evaluation}`)).status, 204)
    assert.equal((await kindsOf(bob)).at(-1), 'evaluation_cancelled')
    assert.equal((await kindsOf(cyd)).at(-1), 'evaluation_soon')
    assert.equal((await (await tutor()).patch(`/v2/teams/${team}`, { team: { final_mark: 88 } })).status, 204)
    assert.equal((await (await tutor()).patch(`/v2/teams/${team}`, { team: { final_mark: 88 } })).status, 204)
    assert.deepEqual((await kindsOf(bob)).slice(-2), ['evaluation_cancelled', 'project_marked'])
  })

  it('say nothing of what has been', async () => {
    const before = await world.database.rows('select count(*) from notifications')
    const client = await clientOf(cyd)
    const other = await closedTeam(client, place.project)
    const values = { team_id: other, user_id: ada.id, scale_id: place.scale, begin_at: '2026-01-03T09:00:00Z' }
    assert.equal((await (await tutor()).post('/v2/scale_teams', { scale_team: values })).status, 201)
    assert.deepEqual(await world.database.rows('select count(*) from notifications'), before)
  })

  it('lead to what they are about, are read by that, and are one’s own alone', async () => {
    const id = Number(/href="\/notifications\/(\d+)"/.exec((await bob.browser.get('/notifications')).text)?.[1])
    assert.equal((await cyd.browser.get(`/notifications/${id}`)).status, 404)
    assert.equal((await bob.browser.get('/notifications/999999')).status, 404)
    assert.equal((await bob.browser.get(`/notifications/${id}`)).location, `/teams/${team}`)
    const unread = async () => (await bob.browser.get('/notifications')).text.match(/badge note">new/g)?.length ?? 0
    const before = await unread()
    await cyd.browser.submit('/notifications', { wish: 'read' })
    assert.equal(await unread(), before)
    await bob.browser.submit('/notifications', { wish: 'read' })
    assert.equal(await unread(), 0)
    assert.doesNotMatch((await bob.browser.get('/')).text, /class="count"/)
  })

  it('come by mail where somebody wants that, and the school sends mails', async () => {
    const lastMail = async () =>
      (
        await world.database.rows(
          `select user_id, details ->> 'kind' from mails where kind = 'notification' order by id`,
        )
      ).at(-1)
    const say = (text: string) =>
      world.database.transaction((tx) =>
        announce(tx, { campusId: place.campus, text, actor: { userId: null }, now: world.clock.now() }),
      )
    await bob.browser.submit('/notifications', { wish: 'choose', kinds: ['announcement', 'nonsense'] })
    await say('No mail yet')
    assert.equal(await lastMail(), undefined)
    await world.database.rows(`insert into mail_senders (until) values (now() + interval '1 hour')`)
    assert.equal((await say('The cluster <b>closes</b>')).people, 3)
    assert.deepEqual(await lastMail(), [String(bob.id), 'announcement'])
    assert.match((await ada.browser.get('/notifications')).text, /The cluster &lt;b&gt;closes/)
    for (const text of ['', ' ', 'x'.repeat(501)]) await assert.rejects(say(text), HttpError)
    await bob.browser.submit('/notifications', { wish: 'choose' })
    await say('Again')
    assert.equal(
      Number((await world.database.rows(`select count(*) from mails where kind = 'notification'`))[0]?.[0]),
      1,
    )
  })

  it('are deleted after half a year, and with the account', async () => {
    await sweep(world.database, new Date('2026-08-01T00:00:00Z'))
    assert.notDeepEqual(await kindsOf(ada), [])
    await sweep(world.database, new Date('2026-12-01T00:00:00Z'))
    assert.deepEqual(await kindsOf(ada), [])
  })
})
