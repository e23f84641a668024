import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { signedInOf } from '@campus/test/support/people'
import { openProject } from '@campus/test/support/projects'
import { completionOf, evaluationsOf, poolsOf, presenceOf } from '../../school/domain/school/campus-dashboard.ts'
import { evaluationsToday } from '../../school/domain/school/dashboard-stats.ts'

/** 10:30 ahead of UTC in the southern summer. */
const timeZone = 'Australia/Adelaide'

describe('the dashboards of a campus in Adelaide', () => {
  let world: World
  let campusId: number
  let evaluation: { readonly user_id: number; readonly team_id: number; readonly scale_id: number }
  before(async () => {
    // In Adelaide it is 05:30 on 3 March.
    world = await campus({ now: '2026-03-02T19:00:00.000Z' })
    const { build } = world
    campusId = await build.campus({ name: 'Adelaide', time_zone: timeZone })
    const user_id = await build.user({ pool_year: '2026', pool_month: 'february' })
    await build.record('campus_users', { user_id, campus_id: campusId, is_primary: true })
    const { project, session, scale } = await openProject(world)
    const team_id = await build.record('teams', {
      name: 'Ours',
      project_id: project,
      project_session_id: session,
      repo_uuid: 'ours',
    })
    evaluation = { user_id, team_id, scale_id: scale }
    // The last minute of 1 March and the first of 2 March there, both on 1 March in UTC.
    for (const at of ['2026-03-01T13:29:00Z', '2026-03-01T13:31:00Z']) {
      const marked = await build.user({})
      await build.record('campus_users', { user_id: marked, campus_id: campusId, is_primary: true })
      await build.record('projects_users', { user_id: marked, project_id: project, marked_at: at, validated: true })
      await build.record('scale_teams', { ...evaluation, begin_at: at, filled_at: at })
    }
    await build.location({
      user_id,
      campus_id: campusId,
      begin_at: '2026-03-01T13:35:00Z',
      end_at: '2026-03-01T14:40:00Z',
    })
  })
  after(() => world.close())

  const asked = () => ({ campusId, now: world.clock.now(), timeZone })
  const good = (days: readonly { readonly day: string; readonly good: number }[]) =>
    days.filter((one) => one.good > 0).map((one) => [one.day, one.good])

  it('count evaluations and marks by its days', async () => {
    const expected = [
      ['2026-03-01', 1],
      ['2026-03-02', 1],
    ]
    for (const days of [await evaluationsOf(world.database, asked()), await completionOf(world.database, asked())]) {
      assert.deepEqual(good(days), expected)
      assert.deepEqual([days.length, days.at(0)?.day, days.at(-1)?.day], [28, '2026-02-04', '2026-03-03'])
    }
  })

  it('count who is present by its hours', async () => {
    const { hours } = await presenceOf(world.database, asked())
    const present = hours.filter((one) => one.present > 0).map(({ at }) => at.toISOString())
    assert.deepEqual(present, ['2026-03-01T13:30:00.000Z'])
    assert.ok(hours.every(({ at }) => at.getUTCMinutes() === 30))
  })

  it('show its pools as soon as its year begins', async () => {
    const now = new Date('2025-12-31T14:00:00Z')
    assert.deepEqual(
      (await poolsOf(world.database, { campusId, now, timeZone })).map(({ year }) => year),
      ['2026'],
    )
  })

  it('are shown by its clocks to staff of another campus', async () => {
    await world.build.campus({ name: 'Porto', time_zone: 'Europe/Lisbon' })
    const boss = await signedInOf(world, { login: 'boss', kind: 'admin' })
    const { status, text } = await boss.browser.get(`/staff/campuses/${campusId}`)
    assert.equal(status, 200)
    assert.match(text, /Australia\/Adelaide/)
    // The hour from midnight on 2 March.
    assert.match(text, /2 Mar.*?<td[^>]*>1<\/td>/s)
  })

  it('end the day of the whole school after 23 or 25 hours when its clocks change', async () => {
    // Clocks go back in the night to 5 April, whose last hour begins at 13:30 UTC.
    await world.build.record('scale_teams', { ...evaluation, begin_at: '2026-04-05T14:00:00Z' })
    const of = (time: string, zone: string) => evaluationsToday(world.database, new Date(time), zone)
    assert.deepEqual(await of('2026-04-05T01:00:00Z', timeZone), { begun: 0, toCome: 1 })
    assert.deepEqual(await of('2026-04-05T20:00:00Z', timeZone), { begun: 0, toCome: 0 })
  })
})
