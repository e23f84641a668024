import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { openProject, type Project } from '@campus/test/support/projects'
import { type Hooked, hooked } from './application-webhooks.ts'
import { balancer, coalsys, hive, type KnownReceiver, peerpp } from './known-receivers.ts'

let world: Hooked
let user: number
let project: Project
let team: number
let projectsUser: number
let flag: number
before(async () => {
  world = await hooked()
  const { build, database } = world
  user = await build.user({ login: 'corrector' })
  project = await openProject(world)
  await database.rows('insert into campus_users (user_id, campus_id, updated_at) values ($1, $2, now())', [
    ...[user, project.campus],
  ])
  team = await build.record('teams', {
    ...{
      name: 'A team',
      project_id: project.project,
      project_session_id: project.session,
      status: 'in_progress',
      repo_uuid: 'x',
    },
  })
  projectsUser = await build.record('projects_users', { user_id: user, project_id: project.project })
  flag = Number((await database.rows('select min(id) from flags'))[0]?.[0])
})
after(() => world.close())
afterEach(async () => {
  await world.database.rows('delete from webhooks')
  await world.fanOut()
  world.receiver.calls.length = 0
})

/** Simulates a receiver. Returns its statuses, and the faults it found in calls. */
function behaveAs(known: KnownReceiver): { readonly statuses: number[]; readonly faults: unknown[] } {
  const [statuses, faults]: [number[], unknown[]] = [[], []]
  world.receiver.behave((response, call) => {
    try {
      const status = known(call)
      statuses.push(status)
      response.writeHead(status).end()
    } catch (error) {
      faults.push(error)
      response.writeHead(500).end()
    }
  })
  return { statuses, faults }
}

const evaluation = (values = {}) =>
  world.build.record('scale_teams', { team_id: team, scale_id: project.scale, user_id: user, flag_id: flag, ...values })

describe('programs that others wrote accept what is sent:', () => {
  it('points of coalitions, of every model at one address', async () => {
    const secrets: Record<string, string> = {}
    for (const [model, event] of [
      ...([
        ['scale_team', 'update'],
        ['projects_user', 'update'],
        ['location', 'close'],
      ] as const),
      ...([
        ['pool', 'point_given'],
        ['close', 'create'],
        ['close', 'update'],
      ] as const),
    ] as const) {
      const secret = `secret-of-${model}-${event}`
      secrets[`${model} ${event}`] = secret
      await world.hook({ model, event }, { secret })
    }
    const { statuses, faults } = behaveAs(coalsys(secrets))
    const { build, database } = world
    const scaleTeam = await evaluation({ begin_at: '2026-01-01T00:00:00Z' })
    await database.rows(`update scale_teams set comment = 'Good', truant_id = $2, filled_at = now() where id = $1`, [
      scaleTeam,
      user,
    ])
    await database.rows(`update projects_users set status = 'finished', final_mark = 100 where id = $1`, [projectsUser])
    const location = await build.location({ user_id: user, campus_id: project.campus })
    await database.rows('update locations set end_at = now() where id = $1', [location])
    const pool = await build.record('pools', {
      ...{ campus_id: project.campus, cursus_id: project.cursus, max_points: 50, current_points: 4 },
    })
    await database.rows('update pools set current_points = 7, given_by_id = $2 where id = $1', [pool, user])
    const close = await build.record('closes', {
      user_id: user,
      closer_id: user,
      kind: 'other',
      reason: 'Away',
      state: 'unclose',
    })
    await build.record('community_services', { close_id: close, duration: 7200, state: 'schedule' })
    await world.settle()
    await database.rows(`update closes set reason = 'Still away' where id = $1`, [close])
    await world.settle()
    assert.deepEqual(faults, [])
    assert.deepEqual(statuses, Array(6).fill(200))
    const gift = world.receiver.calls.find(({ headers }) => headers['x-model'] === 'pool')?.body
    assert.deepEqual(gift.points, { old: 4, current: 7 })
    const { id, login, correction_points } = gift.given_by
    assert.deepEqual([id, login, correction_points], [user, 'corrector', 4])
  })

  it('the balance of pools, which answers a repeat with 208', async () => {
    const hook = await world.hook({ model: 'scale_team', event: 'update' }, { secret: 'secret-of-balancer' })
    const known = behaveAs(balancer({ secret: 'secret-of-balancer' }))
    const id = await evaluation()
    await world.database.rows(`update scale_teams set comment = 'Good' where id = $1`, [id])
    await world.settle()
    const { replayOne } = await import('../../webhooks/replay.ts')
    const { APPLICATION_TABLES } = await import('../../webhooks/delivery-tables.ts')
    const [row] = await world.rows()
    await world.database.transaction((tx) =>
      replayOne(tx, row.id, { actor: { userId: null }, now: world.now() }, APPLICATION_TABLES),
    )
    await world.settle()
    assert.deepEqual(known, { statuses: [200, 208], faults: [] })
    assert.deepEqual(
      (await world.rows()).map(({ state, webhook_id }) => [state, webhook_id]),
      [['delivered', hook]],
    )
  })

  it('evaluations of peers at three addresses, a placeholder and one that is gone among them', async () => {
    for (const [event, path] of [
      ['create', 'create'],
      ['update', 'update'],
      ['destroy', 'delete'],
    ] as const)
      await world.hook(
        { model: 'scale_team', event },
        { secret: 'secret-of-peers', url: `${world.receiver.url}/${path}` },
      )
    const known = behaveAs(peerpp({ secret: 'secret-of-peers' }))
    const id = await evaluation({ user_id: null })
    await world.settle()
    await world.database.rows('update scale_teams set user_id = $2 where id = $1', [id, user])
    await world.settle()
    await world.database.rows('delete from scale_teams where id = $1', [id])
    await world.settle()
    assert.deepEqual(known, { statuses: [204, 204, 204], faults: [] })
    assert.deepEqual(
      world.receiver.calls.map(({ body }) => body.user?.login ?? body.user),
      [null, 'corrector', undefined],
    )
  })

  it('announcements of events', async () => {
    await world.hook({ model: 'event', event: 'create' }, { secret: 'secret-of-hive' })
    const known = behaveAs(hive({ secret: 'secret-of-hive' }))
    const times = { begin_at: '2026-05-01T10:00:00Z', end_at: '2026-05-01T12:00:00Z' }
    await world.build.record('events', { name: 'A talk', description: 'On hives', kind: 'conference', ...times })
    await world.settle()
    assert.deepEqual(known, { statuses: [200], faults: [] })
  })

  it('those of alumni', async () => {
    await world.hook({ model: 'user', event: 'alumnisation' }, { secret: 'secret-of-alumni' })
    const cursusUser = await world.build.record('cursus_users', {
      user_id: user,
      cursus_id: project.cursus,
      begin_at: '2026-01-01T00:00:00Z',
    })
    const known = behaveAs(({ body }) => {
      assert.deepEqual(
        [body.login, body.first_name, body.last_name, body.birth_date],
        ['corrector', 'Ada', 'Byron', null],
      )
      assert.equal(body.alumnized_cursus_user, cursusUser)
      return 200
    })
    await world.database.rows('update users set alumnized_at = now() where id = $1', [user])
    await world.settle()
    assert.deepEqual(known, { statuses: [200], faults: [] })
  })
})
