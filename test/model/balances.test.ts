import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Random } from '@campus/demo/seeds/random'
import type { Database } from '@campus/engine/database/database'
import { issueToken } from '@campus/intranet/oauth/tokens'
import type { Agent } from 'undici'
import { type Campus, emptyCampus } from '../faults/server-process.ts'
import { createApplication } from '../support/application.ts'
import { assertBalancesMatchEntries } from '../support/balances.ts'
import { type Client, clientOf, trusting } from '../support/client.ts'
import { freePort } from '../support/free-port.ts'
import { type Builder, builderOf } from '../support/row-builder.ts'

const ROUNDS = Number(process.env.CAMPUS_TEST_LEDGER_ROUNDS ?? 4)
const OPERATIONS = 60
/** Fewer than the connections of both servers: no request finds them busy. */
const CALLERS = 14
const PEOPLE = 8
const SCOPES = ['public', 'projects']
const ROLES = ['Advanced Tutor', 'Transactions manager']
const FIRST = 3

/** Somebody at both servers. */
type Person = { readonly id: number; readonly team: number; readonly clients: readonly Client[] }
type Operation = (client: number) => Promise<number>

/**
 * Two servers on one database do whatever moves points and money, much of it to the same few people at once. They evaluate
 * each other, so that the same person pays, earns and is set by staff at the same time.
 */
describe('ledgers that two servers write at once', () => {
  let campus: Campus
  let database: Database
  let build: Builder
  let agent: Agent
  let staff: readonly Client[]
  let people: readonly Person[]
  let project: number
  const statuses = new Map<string, number>()
  const chance = new Random(42, 'ledgers')

  before(async () => {
    campus = await emptyCampus({ database: 'shared', env: { CAMPUS_TOKENS_PER_SECOND: '0' } })
    const second = String(await freePort())
    await Promise.all([campus.start(), campus.start({ CAMPUS_PORT: second })])
    agent = trusting(await readFile(join(campus.env.CAMPUS_DATA as string, 'tls/cert.pem'), 'utf8'))
    database = await campus.openDatabase()
    build = builderOf(database)
    const urls = [campus.url, `https://localhost:${second}`]
    const clients = async (user: number | null, roles: readonly string[]) => {
      const rates = { rate_per_second: 1_000_000, rate_per_hour: 1_000_000 }
      const values = { name: `Caller ${user ?? 'of the school'}`, scopes: SCOPES, roles, ...rates }
      const { id } = await database.transaction((tx) => createApplication(tx, values))
      const token = { applicationId: id, resourceOwnerId: user, scopes: SCOPES }
      const issued = await issueToken(database, { now: () => new Date() }, token)
      return urls.map((url) => clientOf({ url, agent }, issued.token))
    }
    staff = await clients(null, ROLES)
    people = await openPlace((user) => clients(user, []))
  })
  after(async () => {
    await database?.close()
    await agent?.destroy()
    await campus?.remove()
  })

  /** A project, and for each of the people a team of theirs and another that waits for its evaluations. */
  async function openPlace(clientsOf: (user: number) => Promise<Client[]>): Promise<Person[]> {
    const [campus_id, cursus_id] = [await build.campus(), await build.cursus()]
    project = await build.record('projects', { name: 'Ledger', slug: 'ledger' })
    await build.record('projects_cursus', { project_id: project, cursus_id })
    const session = await build.record('project_sessions', { project_id: project, max_people: 2 })
    const evaluation = await build.record('evaluations', { project_session_id: session, kind: 'scale' })
    const scale = { evaluation_id: evaluation, name: 'Scale', correction_number: 20, duration: 900 }
    await build.record('scales', scale)
    const pool = { campus_id, cursus_id, max_points: 1000, current_points: 40 }
    await build.record('balances', { pool_id: await build.record('pools', pool), begin_at: '2020-01-01T00:00:00Z' })
    const ids: number[] = []
    for (let nth = 0; nth < PEOPLE; nth += 1) {
      const id = await build.user({ correction_point: FIRST })
      await build.record('campus_users', { user_id: id, campus_id, is_primary: true })
      await build.record('cursus_users', { user_id: id, cursus_id, begin_at: '2020-01-01T00:00:00Z' })
      ids.push(id)
    }
    const found: Person[] = []
    for (const [nth, id] of ids.entries()) {
      const closed = {
        locked_at: '2026-01-01T00:00:00Z',
        closed_at: '2026-01-01T00:00:00Z',
        status: 'waiting_for_correction',
      }
      const team = await build.record('teams', {
        name: `T${nth}`,
        repo_uuid: `t${nth}`,
        project_id: project,
        project_session_id: session,
        ...closed,
      })
      // Each team has two, and each person is in two teams.
      const fellow = ids[(nth + 1) % PEOPLE] as number
      await build.record('teams_users', { team_id: team, user_id: id, leader: true, validated: true })
      await build.record('teams_users', { team_id: team, user_id: fellow, validated: true })
      found.push({ id, team, clients: await clientsOf(id) })
    }
    return found
  }

  const pick = <T>(list: readonly T[]) => chance.pick(list)
  const anyOf = <T>(list: readonly T[]) => (list.length > 0 ? pick(list) : undefined)
  let hours = 0

  /** The evaluations that are booked and not filled. */
  const waiting = async () =>
    (await database.rows('select id, user_id from scale_teams where filled_at is null order by id')).map(
      ([id, user]) => ({
        id: Number(id),
        corrector: people.find((person) => person.id === Number(user)),
      }),
    )

  const KINDS: Readonly<Record<string, () => Operation>> = {
    'a booking by people': () => {
      const { team, clients } = pick(people)
      hours += 1
      const begin_at = new Date(Math.ceil(Date.now() / 900_000 + 4 * hours) * 900_000).toISOString()
      return async (at) => {
        for (const { id: user_id } of people) {
          const end_at = new Date(Date.parse(begin_at) + 900_000)
          await database.rows(
            'insert into slots (user_id, begin_at, end_at) values ($1, $2, $3) on conflict do nothing',
            [user_id, begin_at, end_at],
          )
        }
        return (await clients[at]?.post('/v2/scale_teams', { scale_team: { team_id: team, begin_at } }))?.status ?? 0
      }
    },
    'a booking by a tutor': () => {
      const scale_teams = [pick(people), pick(people)].map(({ team }) => ({ team_id: team, user_id: pick(people).id }))
      return async (at) => (await staff[at]?.post('/v2/scale_teams/multiple_create', { scale_teams }))?.status ?? 0
    },
    'a filling': () => async (at) => {
      const found = anyOf(await waiting())
      if (!found) return 0
      const truant = chance.chance(0.2) ? { truant_id: found.corrector?.id } : {}
      const scale_team = { final_mark: 80, ...truant }
      return (await staff[at]?.patch(`/v2/scale_teams/${found.id}`, { scale_team }))?.status ?? 0
    },
    'a cancellation': () => async (at) => {
      const found = anyOf(await waiting())
      if (!found) return 0
      const client = found.corrector && chance.chance(0.5) ? found.corrector.clients[at] : staff[at]
      return (await client?.delete(`/v2/scale_teams/${found.id}`))?.status ?? 0
    },
    'a gift': () => {
      const { id } = pick(people)
      return async (at) =>
        (await staff[at]?.post(`/v2/users/${id}/correction_points/add`, { reason: 'Gift' }))?.status ?? 0
    },
    'a balance that is set': () => {
      const user = { correction_point: chance.integer(0, 3), wallet: chance.integer(0, 99) }
      const { id } = pick(people)
      return async (at) => (await staff[at]?.patch(`/v2/users/${id}`, { user }))?.status ?? 0
    },
    'a transaction': () => {
      const about = { transactable_type: 'Event', transactable_id: chance.integer(1, 3), reason: 'Helped' }
      const transaction = { user_id: pick(people).id, value: 5, ...about }
      return async (at) => (await staff[at]?.post('/v2/transactions', { transaction }))?.status ?? 0
    },
    'a transaction that is taken back': () => async (at) => {
      const id = anyOf(await database.rows('select id from transactions'))?.[0]
      return id === undefined ? 0 : ((await staff[at]?.delete(`/v2/transactions/${id}`))?.status ?? 0)
    },
  }

  for (let round = 1; round <= ROUNDS; round += 1) {
    it(`hold after round ${round}, and no booking has left anybody with fewer points than none`, async () => {
      let left = OPERATIONS
      const work = async (server: number) => {
        while (left > 0) {
          left -= 1
          const [name, make] = pick(Object.entries(KINDS))
          const status = await make()(server)
          assert.ok([0, 200, 201, 204, 404, 422].includes(status), `${name} is ${status}`)
          statuses.set(`${name} ${status}`, (statuses.get(`${name} ${status}`) ?? 0) + 1)
        }
      }
      await Promise.all(Array.from({ length: CALLERS }, (_, nth) => work(nth % 2)))
      await assertBalancesMatchEntries(database)
      await assertCounted()
    })
  }

  it('have been written by every kind of deed', () => {
    for (const name of Object.keys(KINDS)) {
      const done = [200, 201, 204].map((status) => statuses.get(`${name} ${status}`) ?? 0)
      assert.ok(
        done.some((times) => times > 0),
        `${name}: ${JSON.stringify([...statuses])}`,
      )
    }
  })

  it('are locked in one order: no two requests have waited for each other', async () => {
    const counted = 'select deadlocks from pg_stat_database where datname = current_database()'
    assert.deepEqual(await database.rows(counted), [['0']])
  })

  /** Nothing is lost: what was booked and filled is in the ledgers, once. */
  async function assertCounted(): Promise<void> {
    const none = async (text: string, sql: string) => assert.deepEqual(await database.rows(sql), [], text)
    await none(
      'somebody has fewer points than none',
      'select id, correction_point from users where correction_point < 0',
    )
    await none(
      'an evaluation that was filled by whoever came has earned something else than once',
      `select t.id from scale_teams t left join correction_point_historics h
         on h.scale_team_id = t.id and h.reason = 'Earning after defense'
       where t.filled_at is not null and t.user_id is not null and t.truant_id is distinct from t.user_id
       group by t.id having count(h.id) <> 1`,
    )
    await none(
      'somebody has paid twice for an evaluation',
      `select scale_team_id, user_data_id from correction_point_historics
       where reason = 'Defense plannification' and scale_team_id is not null group by 1, 2 having count(*) > 1`,
    )
    await none(
      'people have booked without paying',
      `select t.id from scale_teams t join slots s on s.scale_team_id = t.id
       where (select count(*) from correction_point_historics h
         where h.scale_team_id = t.id and h.reason = 'Defense plannification') <> 2`,
    )
    const [pool] = await database.rows(
      `select current_points + coalesce((select sum(sum) from correction_point_historics where reason = 'Refund during sales'), 0)
         + coalesce((select sum(sum - 1) from correction_point_historics where reason = 'Earning after defense'), 0) from pools`,
    )
    assert.equal(Number(pool?.[0]), 40, 'the pool has lost what nobody got')
  }
})
