import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { HttpError } from '@campus/engine/errors'
import { anonymizeUser } from '@campus/intranet/school/domain/accounts/anonymize'
import fc from 'fast-check'
import { createApplication } from '../support/application.ts'
import { campus, type World } from '../support/campus.ts'

const SECONDS = Number(process.env.CAMPUS_TEST_LOCK_SECONDS ?? 5)
const AT_ONCE = 16
/** Number of records of each kind. It is low, so that concurrent calls lock the same rows. */
const RECORDS_OF_A_KIND = 3

type Random = (below: number) => number
/**
 * A write: its route, the tables whose records it needs, and its payload, made from the ids in the order of the tables.
 */
type Action = readonly [
  request: string,
  of: readonly string[],
  payload?: (ids: readonly number[], random: Random) => object,
]

const soon = (random: Random) => new Date(Date.now() + (random(400) + 4) * 900_000).toISOString()

const ACTIONS: readonly Action[] = [
  // Teams, their members and their evaluations.
  ['PATCH /v2/teams/:0', ['teams'], (_, random) => ({ team: { name: `Team ${random(9)}` } })],
  [
    'PATCH /v2/teams/:0',
    ['teams', 'teams_users of teams'],
    ([, id], random) => ({
      team: { name: `N ${random(99)}`, teams_users_attributes: [{ id, leader: random(2) === 0 }] },
    }),
  ],
  ['PATCH /v2/teams/:0', ['teams'], (_, random) => ({ team: { final_mark: random(2) === 0 ? null : random(100) } })],
  [
    'POST /v2/teams',
    ['projects', 'users', 'users'],
    ([project_id, one, other]) => ({
      team: { project_id, teams_users_attributes: [{ user_id: one }, { user_id: other }] },
    }),
  ],
  ['DELETE /v2/teams/:0', ['teams']],
  ['POST /v2/teams_users', ['teams', 'users'], ([team_id, user_id]) => ({ teams_user: { team_id, user_id } })],
  ['PATCH /v2/teams_users/:0', ['teams_users'], (_, random) => ({ teams_user: { leader: random(2) === 0 } })],
  ['PATCH /v2/teams_users/:0', ['teams_users'], () => ({ teams_user: { validated: true } })],
  ['DELETE /v2/teams_users/:0', ['teams_users']],
  [
    'POST /v2/scale_teams',
    ['teams', 'users'],
    ([team_id, user_id], random) => ({ scale_team: { team_id, user_id, begin_at: soon(random) } }),
  ],
  [
    'POST /v2/scale_teams/multiple_create',
    ['teams', 'users', 'teams', 'users'],
    ([a, b, c, d], random) => ({
      scale_teams: [
        { team_id: a, user_id: b, begin_at: soon(random) },
        { team_id: c, user_id: d, begin_at: soon(random) },
      ],
    }),
  ],
  [
    'PATCH /v2/scale_teams/:0',
    ['scale_teams', 'flags'],
    ([, flag_id], random) => ({ scale_team: { flag_id, final_mark: random(100), comment: `C ${random(99)}` } }),
  ],
  ['PATCH /v2/scale_teams/:0', ['scale_teams', 'teams'], ([, team_id]) => ({ scale_team: { team_id } })],
  ['DELETE /v2/scale_teams/:0', ['scale_teams']],
  [
    'POST /v2/scale_teams/:0/feedbacks',
    ['scale_teams', 'users'],
    ([, user_id], random) => ({ feedback: { user_id, comment: `F ${random(99)}`, rating: random(5) } }),
  ],
  ['DELETE /v2/feedbacks/:0', ['feedbacks']],
  ['PATCH /v2/projects_users/:0/retry', ['projects_users']],
  [
    'PATCH /v2/projects_users/:0',
    ['projects_users'],
    (_, random) => ({ projects_user: { final_mark: random(100), 'validated?': random(2) === 0 } }),
  ],
  ['DELETE /v2/projects_users/:0', ['projects_users']],
  // Experience, which changes levels.
  [
    'POST /v2/experiences',
    ['users', 'projects_users of users', 'cursus', 'skills'],
    ([user_id, experiancable_id, cursus_id, skill_id], random) => ({
      experience: { user_id, experiancable_id, cursus_id, skill_id, experience: random(999) },
    }),
  ],
  ['PATCH /v2/experiences/:0', ['experiences'], (_, random) => ({ experience: { experience: random(999) } })],
  ['DELETE /v2/experiences/:0', ['experiences']],
  ['PATCH /v2/cursus_users/:0', ['cursus_users'], (_, random) => ({ cursus_user: { level: random(9) } })],
  // Slots.
  [
    'POST /v2/slots',
    ['users'],
    ([user_id], random) => {
      const begin = Math.ceil(Date.now() / 900_000 + 4 + random(400)) * 900_000
      const span = { begin_at: new Date(begin).toISOString(), end_at: new Date(begin + 5_400_000).toISOString() }
      return { slot: { user_id, ...span } }
    },
  ],
  ['DELETE /v2/slots/:0', ['slots']],
  // Accounts.
  [
    'POST /v2/users/:0/closes',
    ['users'],
    () => ({
      close: { kind: 'other', reason: 'Because', community_services_attributes: [{ duration: 7200 }] },
    }),
  ],
  ['PATCH /v2/closes/:0/unclose', ['closes']],
  ['PATCH /v2/closes/:0/close', ['closes']],
  ['DELETE /v2/closes/:0', ['closes']],
  ['PATCH /v2/community_services/:0/validate', ['community_services']],
  ['DELETE /v2/community_services/:0', ['community_services']],
  [
    'PATCH /v2/users/:0',
    ['users', 'cursus_users of users'],
    ([, id], random) => ({
      user: { phone: `+33${random(99)}`, cursus_users_attributes: id ? [{ id, grade: `G${random(9)}` }] : [] },
    }),
  ],
  // Renames a user and sets a password, also after anonymization.
  [
    'PATCH /v2/users/:0',
    ['users'],
    ([id], random) => {
      const name = `x${id}-${random(9)}`
      const names = { first_name: name, last_name: name, usual_first_name: null, phone: null }
      return { user: { login: name, email: `${name}@campus.test`, password: 'correct horse battery', ...names } }
    },
  ],
  ['ANONYMIZE /v2/users/:0', ['users']],
  ['PATCH /v2/users/:0', ['users', 'campus'], ([, campus_id]) => ({ user: { campus_id } })],
  ['POST /v2/users/:0/set_primary_campus', ['users', 'campus'], ([, campus_id]) => ({ campus_id })],
  ['DELETE /v2/campus_users/:0', ['campus_users']],
  ['POST /v2/roles_users', ['users', 'roles'], ([user_id, role_id]) => ({ roles_user: { user_id, role_id } })],
  ['DELETE /v2/roles_users/:0', ['roles_users']],
  ['DELETE /v2/users/:0/otp_settings/remove', ['users']],
  // Endpoints and their deliveries.
  ['PATCH /v2/endpoints/:0', ['endpoints'], (_, random) => ({ endpoint: { url: `https://127.0.0.1:9/${random(9)}` } })],
  ['PATCH /v2/campus/:0', ['campus', 'endpoints'], ([, endpoint_id]) => ({ campus: { endpoint_id } })],
  ['POST /v2/endpoints/:0/replay', ['endpoints'], () => ({ endpoint: { state: 'dead' } })],
  ['POST /v2/deliveries/:0/replay', ['deliveries']],
  ['PATCH /v2/users/:0', ['users'], (_, random) => ({ user: { correction_point: random(9), wallet: random(99) } })],
  ['PATCH /v2/campus_users/:0', ['campus_users'], (_, random) => ({ campus_user: { is_primary: random(2) === 0 } })],
  ['PATCH /v2/cursus_users/:0', ['cursus_users'], (_, random) => ({ cursus_user: { grade: `G${random(9)}` } })],
  ['POST /v2/users/:0/correction_points/add', ['users'], () => ({ amount: 1, reason: 'Help' })],
  ['DELETE /v2/users/:0/correction_points/remove', ['users'], () => ({ amount: 1, reason: 'Help' })],
  ['POST /v2/users/:0/alumnize', ['users']],
  ['POST /v2/users/:0/dealumnize', ['users']],
  [
    'POST /v2/transactions',
    ['users'],
    ([user_id], random) => ({
      transaction: { user_id, value: random(9) - 4, transactable_type: 'User', reason: 'Coffee' },
    }),
  ],
  ['DELETE /v2/transactions/:0', ['transactions']],
  // Coalitions.
  [
    'POST /v2/coalitions/:0/scores',
    ['coalitions', 'coalitions_users of coalitions'],
    ([, coalitions_user_id]) => ({
      score: { value: 3, reason: 'Won', ...(coalitions_user_id ? { coalitions_user_id } : {}) },
    }),
  ],
  ['DELETE /v2/scores/:0', ['scores']],
  ['PATCH /v2/coalitions/:0', ['coalitions'], (_, random) => ({ coalition: { score: random(99) } })],
  [
    'PATCH /v2/coalitions_users/:0',
    ['coalitions_users', 'coalitions'],
    ([, coalition_id]) => ({
      coalitions_user: { coalition_id },
    }),
  ],
  ['DELETE /v2/coalitions_users/:0', ['coalitions_users']],
  // Events, exams and their participants.
  ['POST /v2/events_users', ['events', 'users'], ([event_id, user_id]) => ({ events_user: { event_id, user_id } })],
  ['PATCH /v2/events_users/:0', ['events_users', 'events'], ([, event_id]) => ({ events_user: { event_id } })],
  ['DELETE /v2/events_users/:0', ['events_users']],
  ['PATCH /v2/events/:0', ['events'], (_, random) => ({ event: { max_people: random(2) + 1 } })],
  ['POST /v2/exams_users', ['exams', 'users'], ([exam_id, user_id]) => ({ exams_user: { exam_id, user_id } })],
  ['DELETE /v2/exams_users/:0', ['exams_users']],
  // The forum.
  ['POST /v2/topics/:0/messages', ['topics', 'users'], ([, author_id]) => ({ message: { author_id, content: 'Hm' } })],
  [
    'POST /v2/messages/:0/messages',
    ['messages', 'users'],
    ([, author_id]) => ({ message: { author_id, content: 'No' } }),
  ],
  ['PATCH /v2/messages/:0', ['messages'], (_, random) => ({ message: { content: `M ${random(99)}` } })],
  ['DELETE /v2/messages/:0', ['messages']],
  [
    'POST /v2/messages/:0/votes',
    ['messages', 'users'],
    ([, user_id], random) => ({ vote: { user_id, kind: random(2) === 0 ? 'upvote' : 'problem' } }),
  ],
  ['DELETE /v2/votes/:0', ['votes']],
  ['PATCH /v2/topics/:0', ['topics'], (_, random) => ({ topic: { name: `T ${random(99)}` } })],
  // Applications. Closing the account of an owner suspends them.
  ['PATCH /v2/apps/:0', ['applications'], (_, random) => ({ app: { name: `Map of house ${random(99)}` } })],
  ['PATCH /v2/apps/:0', ['applications', 'users'], ([, owner_id]) => ({ app: { owner_id } })],
  // Records that many others refer to.
  ['POST /v2/groups_users', ['groups', 'users'], ([group_id, user_id]) => ({ groups_user: { group_id, user_id } })],
  ['DELETE /v2/groups_users/:0', ['groups_users']],
  ['POST /v2/pools/:0/points/add', ['pools'], () => ({ points: 2 })],
  ['PATCH /v2/quests_users/:0', ['quests_users'], (_, random) => ({ quests_user: { prct: random(100) } })],
]

describe('actions of the domain, 16 at once', () => {
  let world: World
  before(async () => {
    world = await campus({ seeded: { users: 25, locations: 50 } })
  })
  after(() => world.close())

  it(`lock in one order, so that none waits for another in a circle (${SECONDS} s)`, async (t) => {
    const everything = ['Moderator', 'Advanced Staff', 'Advanced Tutor', 'Transactions manager', 'Events manager']
    const caller = await world.caller({
      roles: everything,
      scopes: ['public', 'projects', 'profile', 'tig', 'forum'],
      ratePerSecond: 1_000_000,
      ratePerHour: 10_000_000,
    })
    // Creates the records to change last, since the actions change the newest records. They must not change the
    // caller's own application.
    for (let made = 0; made < RECORDS_OF_A_KIND; made += 1) {
      await world.database.transaction((tx) => createApplication(tx, { name: `Map of house ${made}` }))
    }
    const seed = Math.floor(Math.random() * 2 ** 31)
    t.diagnostic(`seed ${seed}`)
    const sample = fc.sample(fc.infiniteStream(fc.nat()), { seed, numRuns: 1 })[0] as Iterator<number>
    const random: Random = (below) => Number(sample.next().value) % below
    const ids = async (table: string, parent?: readonly [string, number]): Promise<readonly number[]> => {
      const column = parent && `${parent[0].replace(/s$/, '')}_id`
      const where = parent ? `where ${column} = ${parent[1]}` : ''
      const rows = await world.database.rows(
        `select id from ${table} ${where} order by id desc limit ${RECORDS_OF_A_KIND}`,
      )
      return rows.map(([id]) => Number(id))
    }
    const before = await deadlocks()
    const statuses = new Map<string, number>()
    const end = Date.now() + SECONDS * 1000
    const work = async () => {
      while (Date.now() < end) {
        const [request, of, payload] = ACTIONS[random(ACTIONS.length)] as Action
        const chosen: number[] = []
        for (const one of of) {
          const [table = '', parent] = one.split(' of ')
          const found = await ids(table, parent ? [parent, chosen[0] ?? 0] : undefined)
          chosen.push(found[random(found.length || 1)] ?? 0)
        }
        const [method = '', path = ''] = request.replace(':0', String(chosen[0])).split(' ')
        const body = payload?.(chosen, random)
        const status =
          method === 'ANONYMIZE'
            ? await anonymize(chosen[0] ?? 0)
            : (await caller.request(method, path, body ? { body } : {})).status
        const key = `${request} ${status}`
        statuses.set(key, (statuses.get(key) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    // A caller whose account is closed locks nothing.
    const failed = [...statuses].filter(([key]) => /(401|5\d\d)$/.test(key))
    const resolved = (await deadlocks()) - before
    const done = new Set([...statuses.keys()].filter((key) => /20\d$/.test(key)).map((key) => key.replace(/ \d+$/, '')))
    const calls = [...statuses.values()].reduce((sum, count) => sum + count, 0)
    t.diagnostic(
      `${calls} calls, ${done.size} of ${new Set(ACTIONS.map(([request]) => request)).size} kinds done, ${resolved} deadlocks`,
    )
    assert.deepEqual(failed, [])
    assert.equal(resolved, 0, 'deadlocks that the database resolved')
  })

  /** Anonymizes a user as the command does; the API has no route for it. */
  async function anonymize(userId: number): Promise<number> {
    const work = anonymizeUser(world.database, { userId, actor: { userId: null }, now: new Date() })
    return work.then(
      () => 200,
      (error) => (error instanceof HttpError ? error.status : Promise.reject(error)),
    )
  }

  /** Counts deadlocks of this database since its creation. PostgreSQL reports them with up to a second's delay. */
  async function deadlocks(): Promise<number> {
    await sleep(1500)
    const [row] = await world.database.rows('select deadlocks from pg_stat_database where datname = current_database()')
    return Number(row?.[0])
  }
})
