import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resources } from '../../src/resources/index.ts'
import { Registry } from '../../src/rest/registry.ts'
import { routeTable } from '../../src/rest/route-table.ts'
import { Sealer } from '../../src/sealer.ts'
import { campus as openCampus, type World } from '../support/campus.ts'
import type { Client } from '../support/client.ts'
import { rowCounts } from './stored.ts'

const CALLERS = ['nobody', 'visitor', 'Basic Tutor', 'Advanced Tutor', 'Basic Staff', 'Advanced Staff'] as const
type CallerName = (typeof CALLERS)[number]

/**
 * Family × action × caller → status (decisions §4 and §5), where each caller who may do something really does it. The
 * columns are the callers above, in their order; each record that a path names is a new one.
 */
const TABLE = `
  GET    /v2/campus                                                401 200 200 200 200 200
  GET    /v2/campus/:id                                            401 200 200 200 200 200
  POST   /v2/campus                                                401 403 403 403 403 201
  PATCH  /v2/campus/:id                                            401 403 403 403 403 204
  PUT    /v2/campus/:id                                            401 403 403 403 403 204
  DELETE /v2/campus/:id                                            401 403 403 403 403 204

  GET    /v2/languages                                             401 200 200 200 200 200
  GET    /v2/languages/:id                                         401 200 200 200 200 200
  POST   /v2/languages                                             401 403 403 403 403 201
  PATCH  /v2/languages/:id                                         401 403 403 403 403 204
  PUT    /v2/languages/:id                                         401 403 403 403 403 204
  DELETE /v2/languages/:id                                         401 403 403 403 403 204

  GET    /v2/cursus                                                401 200 200 200 200 200
  GET    /v2/cursus/:id                                            401 200 200 200 200 200
  POST   /v2/cursus                                                401 403 403 403 403 201
  PATCH  /v2/cursus/:id                                            401 403 403 403 403 204
  PUT    /v2/cursus/:id                                            401 403 403 403 403 204
  DELETE /v2/cursus/:id                                            401 403 403 403 403 204

  GET    /v2/skills                                                401 200 200 200 200 200
  GET    /v2/skills/:id                                            401 200 200 200 200 200
  POST   /v2/skills                                                401 403 403 403 403 201
  PATCH  /v2/skills/:id                                            401 403 403 403 403 204
  PUT    /v2/skills/:id                                            401 403 403 403 403 204
  DELETE /v2/skills/:id                                            401 403 403 403 403 204
  GET    /v2/cursus/:cursus_id/skills                              401 200 200 200 200 200

  GET    /v2/users                                                 401 200 200 200 200 200
  GET    /v2/users/:id                                             401 200 200 200 200 200
  GET    /v2/users/graph                                           401 200 200 200 200 200
  GET    /v2/users/graph/on/:field                                 401 200 200 200 200 200
  GET    /v2/users/graph/on/:field/by/:interval                    401 200 200 200 200 200
  GET    /v2/users/:id/exam                                        401 403 200 200 403 403
  GET    /v2/users/:id/projects_users/registration                 401 200 200 200 200 200
  GET    /v2/me                                                    401 404 404 404 404 404
  GET    /v2/staff                                                 401 403 403 403 200 200
  GET    /v2/campus/:campus_id/users                               401 200 200 200 200 200
  GET    /v2/cursus/:cursus_id/users                               401 200 200 200 200 200
  POST   /v2/users                                                 401 403 403 201 403 403
  PATCH  /v2/users/:id                                             401 403 403 204 403 403
  PUT    /v2/users/:id                                             401 403 403 204 403 403

  GET    /v2/campus_users                                          401 200 200 200 200 200
  GET    /v2/campus_users/:id                                      401 200 200 200 200 200
  GET    /v2/users/:user_id/campus_users                           401 200 200 200 200 200
  GET    /v2/campus/:campus_id/campus_users                        401 200 200 200 200 200
  POST   /v2/campus_users                                          401 403 403 403 403 201
  POST   /v2/users/:user_id/campus_users                           401 403 403 403 403 201
  PATCH  /v2/campus_users/:id                                      401 403 403 403 403 204
  PUT    /v2/campus_users/:id                                      401 403 403 403 403 204
  DELETE /v2/campus_users/:id                                      401 403 403 403 403 204

  GET    /v2/cursus_users                                          401 200 200 200 200 200
  GET    /v2/cursus_users/:id                                      401 200 200 200 200 200
  GET    /v2/cursus_users/graph                                    401 200 200 200 200 200
  GET    /v2/cursus_users/graph/on/:field                          401 200 200 200 200 200
  GET    /v2/cursus_users/graph/on/:field/by/:interval             401 200 200 200 200 200
  GET    /v2/users/:user_id/cursus_users                           401 200 200 200 200 200
  GET    /v2/cursus/:cursus_id/cursus_users                        401 200 200 200 200 200
  GET    /v2/cursus/:cursus_id/cursus_users/graph                  401 200 200 200 200 200
  GET    /v2/cursus/:cursus_id/cursus_users/graph/on/:field        401 200 200 200 200 200
  GET    /v2/cursus/:cursus_id/cursus_users/graph/on/:field/by/:interval 401 200 200 200 200 200
  POST   /v2/cursus_users                                          401 403 403 403 403 201
  POST   /v2/users/:user_id/cursus_users                           401 403 403 403 403 201
  PATCH  /v2/cursus_users/:id                                      401 403 403 403 403 204
  PUT    /v2/cursus_users/:id                                      401 403 403 403 403 204
  DELETE /v2/cursus_users/:id                                      401 403 403 403 403 204

  GET    /v2/languages_users                                       401 200 200 200 200 200
  GET    /v2/languages_users/:id                                   401 200 200 200 200 200
  GET    /v2/users/:user_id/languages_users                        401 200 200 200 200 200
  POST   /v2/languages_users                                       401 403 403 403 403 201
  POST   /v2/users/:user_id/languages_users                        401 403 403 403 403 201
  PATCH  /v2/languages_users/:id                                   401 403 403 403 403 204
  PUT    /v2/languages_users/:id                                   401 403 403 403 403 204
  DELETE /v2/languages_users/:id                                   401 403 403 403 403 204

  GET    /v2/locations                                             401 200 200 200 200 200
  GET    /v2/locations/:id                                         401 200 200 200 200 200
  GET    /v2/locations/graph                                       401 200 200 200 200 200
  GET    /v2/locations/graph/on/:field                             401 200 200 200 200 200
  GET    /v2/locations/graph/on/:field/by/:interval                401 200 200 200 200 200
  GET    /v2/users/:user_id/locations                              401 200 200 200 200 200
  GET    /v2/campus/:campus_id/locations                           401 200 200 200 200 200
  POST   /v2/locations                                             401 403 403 403 201 201
  POST   /v2/users/:user_id/locations                              401 403 403 403 201 201
  PATCH  /v2/locations/:id                                         401 403 403 403 204 204
  PUT    /v2/locations/:id                                         401 403 403 403 204 204
  PATCH  /v2/users/:user_id/locations/:id                          401 403 403 403 204 204
  PUT    /v2/users/:user_id/locations/:id                          401 403 403 403 204 204
  DELETE /v2/locations/:id                                         401 403 403 403 204 204

  GET    /v2/endpoints                                             401 403 403 403 200 200
  GET    /v2/endpoints/:id                                         401 403 403 403 200 200
  POST   /v2/endpoints                                             401 403 403 403 403 201
  PATCH  /v2/endpoints/:id                                         401 403 403 403 403 204
  PUT    /v2/endpoints/:id                                         401 403 403 403 403 204
  DELETE /v2/endpoints/:id                                         401 403 403 403 403 204
`

type Row = { readonly method: string; readonly path: string; readonly family: string; readonly statuses: number[] }

const rows: readonly Row[] = TABLE.split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => {
    const [method = '', path = '', ...statuses] = line.trim().split(/\s+/)
    return { method, path, family: familyOf(path), statuses: statuses.map(Number) }
  })

function familyOf(path: string): string {
  const words = path.split('/').filter((word) => word !== '' && word !== 'v2' && !word.startsWith(':'))
  const last = words.filter((word) => !['graph', 'on', 'by'].includes(word)).at(-1) ?? ''
  return ['me', 'staff', 'exam', 'registration'].includes(last) ? 'users' : last
}

let world: World
const callers = {} as Record<CallerName, Client>

before(async () => {
  world = await openCampus()
  callers.nobody = world.anonymous
  callers.visitor = world.visitor
  for (const name of CALLERS.slice(2)) callers[name] = await world.caller({ roles: [name] })
})
after(() => world.close())

let made = 0
const unique = (word: string) => {
  made += 1
  return `${word}-${made}`
}

type Values = Record<string, unknown>
type Family = {
  readonly singular: string
  /** Puts a new record into the database and gives its id. */
  build(): Promise<number>
  /** What creates another one. */
  payload(): Promise<Values>
}

const user = () => world.build.user()
const cursus = () => world.build.cursus()
const campus = () => world.build.campus()
const language = () => world.build.language()

const FAMILIES: Readonly<Record<string, Family>> = {
  campus: {
    singular: 'campus',
    build: campus,
    payload: async () => ({ name: unique('campus'), time_zone: 'UTC', language_id: await language() }),
  },
  languages: {
    singular: 'language',
    build: language,
    payload: async () => ({ name: 'Language', identifier: unique('i') }),
  },
  cursus: { singular: 'cursus', build: cursus, payload: async () => ({ name: unique('cursus') }) },
  skills: {
    singular: 'skill',
    build: () => world.build.record('skills', { name: unique('skill'), slug: unique('slug') }),
    payload: async () => ({ name: unique('skill') }),
  },
  users: {
    singular: 'user',
    build: user,
    payload: async () => ({ email: `${unique('u')}@campus.test`, first_name: 'U', last_name: 'Ser' }),
  },
  campus_users: tie('campus_users', 'campus_user', async () => ({ user_id: await user(), campus_id: await campus() })),
  cursus_users: tie('cursus_users', 'cursus_user', async () => ({ user_id: await user(), cursus_id: await cursus() })),
  languages_users: tie('languages_users', 'languages_user', async () => ({
    ...{ user_id: await user(), language_id: await language() },
  })),
  locations: tie('locations', 'location', async () => ({
    ...{ user_id: await user(), campus_id: await campus(), host: unique('host') },
  })),
  endpoints: tie('endpoints', 'endpoint', async () => ({ url: 'https://hooks.test' })),
}

function tie(table: string, singular: string, payload: () => Promise<Values>): Family {
  return { singular, payload, build: async () => world.build.record(table, await payload()) }
}

/** A path to records that exist. */
async function pathOf({ path, family }: Row): Promise<string> {
  const id = /\/:id\b/.test(path) ? await FAMILIES[family]?.build() : undefined
  const owner = path.startsWith('/v2/users/:user_id/locations/:id')
    ? (await world.database.rows('select user_id from locations where id = $1', [id]))[0]?.[0]
    : undefined
  const parts: Readonly<Record<string, () => Promise<unknown> | unknown>> = {
    id: () => id,
    user_id: () => owner ?? user(),
    campus_id: campus,
    cursus_id: cursus,
    field: () => (family === 'locations' ? 'begin_at' : 'created_at'),
    interval: () => 'day',
  }
  let filled = path
  for (const name of path.match(/(?<=:)\w+/g) ?? []) filled = filled.replace(`:${name}`, String(await parts[name]?.()))
  return filled
}

async function statusFor(row: Row, caller: CallerName): Promise<{ status: number; changed: string[] }> {
  const path = await pathOf(row)
  const { singular, payload } = FAMILIES[row.family] as Family
  const contents = { POST: payload, PATCH: async () => ({}), PUT: async () => ({}) }[row.method]
  const body = contents && { [singular]: await contents() }
  const untouched = await rowCounts(world.database)
  const { status } = await callers[caller].request(row.method, path, { body })
  const counts = row.method === 'GET' ? untouched : await rowCounts(world.database)
  return { status, changed: Object.keys(counts).filter((table) => counts[table] !== untouched[table]) }
}

describe('the table of who may do what', () => {
  // That no route lacks a line is held for all families at once, in access-table.test.ts.
  it('speaks of routes only', () => {
    const table = routeTable(new Registry(resources(new Sealer(Buffer.alloc(32)))))
    const routes = table.map(({ method, path }) => `${method} ${path}`)
    const spoken = rows.map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(
      spoken.filter((row) => !routes.includes(row)),
      [],
    )
  })

  it('has a status for every caller', () => {
    for (const { path, statuses } of rows) assert.equal(statuses.length, CALLERS.length, path)
  })
})

for (const row of rows) {
  const { method, path, statuses } = row
  describe(`${method} ${path}`, () => {
    for (const [index, caller] of CALLERS.entries()) {
      const expected = statuses[index] as number
      it(`is answered ${expected} to ${caller}`, async () => {
        const { status, changed } = await statusFor(row, caller)
        assert.equal(status, expected)
        if (status >= 400) assert.deepEqual(changed, [], 'a refusal changed the number of rows')
      })
    }
  })
}

describe('a refusal for a missing role', () => {
  it('says which role would do', async () => {
    for (const [method, path, role] of [
      ['GET', '/v2/endpoints', 'Basic Staff'],
      ['GET', '/v2/staff', 'Basic Staff'],
      ['POST', '/v2/endpoints', 'Advanced Staff'],
      ['POST', '/v2/locations', 'Basic Staff'],
      ['POST', '/v2/users', 'Advanced Tutor'],
      ['DELETE', '/v2/languages/1', 'Advanced Staff'],
    ] as const) {
      const { json } = await world.visitor.request(method, path)
      assert.deepEqual(json, {
        error: 'Access Denied',
        message: `You are not authorized to access this page. It needs the role ${role}.`,
      })
    }
  })

  it('is the same whether the record exists or not', async () => {
    const id = await language()
    const refused = async (path: string) => (await world.visitor.delete(path)).text
    assert.equal(await refused(`/v2/languages/${id}`), await refused('/v2/languages/2147483647'))
  })
})

describe('the rules around roles', () => {
  const statusOf = async (client: Client, method: string, path: string, body?: object) =>
    (await client.request(method, path, { body })).status
  const newUser = async () => ({ user: await FAMILIES.users?.payload() })

  it('Advanced Staff includes Basic Staff, and not Advanced Tutor', async () => {
    assert.equal(await statusOf(callers['Advanced Staff'], 'GET', '/v2/staff'), 200)
    assert.equal(await statusOf(callers['Advanced Staff'], 'POST', '/v2/users', await newUser()), 403)
  })

  it('other roles open nothing here', async () => {
    for (const role of ['Official App', 'Certified App', 'Moderator', 'Alpha', 'Beta', 'Intrateam']) {
      const caller = await world.caller({ roles: [role] })
      assert.equal(await statusOf(caller, 'GET', '/v2/endpoints'), 403, role)
      assert.equal(await statusOf(caller, 'POST', '/v2/users', await newUser()), 403, role)
      assert.equal(await statusOf(caller, 'GET', '/v2/users'), 200, role)
    }
  })

  it('no scope stands for a role', async () => {
    const scopes = ['public', 'projects', 'profile', 'elearning', 'tig', 'forum']
    const caller = await world.caller({ scopes })
    assert.equal(await statusOf(caller, 'GET', '/v2/endpoints'), 403)
    assert.equal(await statusOf(caller, 'POST', '/v2/users', await newUser()), 403)
  })

  it('these families ask for no scope, so that a role alone will do', async () => {
    const caller = await world.caller({ roles: ['Advanced Staff', 'Advanced Tutor'], scopes: ['public'] })
    assert.equal(await statusOf(caller, 'GET', '/v2/endpoints'), 200)
    assert.equal(await statusOf(caller, 'POST', '/v2/users', await newUser()), 201)
  })

  it('the person behind a token never lends the application a role', async () => {
    const admin = await world.build.user({ kind: 'admin' })
    const caller = await world.caller({ user: admin })
    assert.equal(await statusOf(caller, 'GET', '/v2/me'), 200)
    assert.equal(await statusOf(caller, 'GET', '/v2/endpoints'), 403)
    assert.equal(await statusOf(caller, 'GET', '/v2/staff'), 403)
    assert.equal(await statusOf(caller, 'PATCH', `/v2/users/${admin}`, { user: { wallet: 1 } }), 403)
  })

  it('a role that is taken away is gone from running tokens', async () => {
    const caller = await world.caller({ roles: ['Basic Staff'] })
    assert.equal(await statusOf(caller, 'GET', '/v2/endpoints'), 200)
    const { json } = await caller.get('/oauth/token/info')
    await world.database.rows(
      'delete from application_roles where application_id = (select id from applications where uid = $1)',
      [json.application.uid],
    )
    assert.equal(await statusOf(caller, 'GET', '/v2/endpoints'), 403)
  })
})

describe('the exam of a user', () => {
  it('is shown to the user, through an application without roles', async () => {
    const [id, other] = [await user(), await user()]
    const own = await world.caller({ user: id })
    assert.equal((await own.get(`/v2/users/${id}/exam`)).status, 200)
    assert.equal((await own.get(`/v2/users/${other}/exam`)).status, 403)
  })
})

describe('a closed user', () => {
  let closed: number
  before(async () => {
    closed = await world.build.user({ login: 'closed', closed_at: '2026-02-01T00:00:00Z' })
  })

  for (const [caller, expected] of [
    ['nobody', 401],
    ['visitor', 403],
    ['Basic Tutor', 403],
    ['Advanced Tutor', 403],
    ['Basic Staff', 200],
    ['Advanced Staff', 200],
  ] as const) {
    it(`is shown to ${caller} with ${expected}, by id and by login`, async () => {
      for (const path of [`/v2/users/${closed}`, '/v2/users/closed']) {
        assert.equal((await callers[caller].get(path)).status, expected)
      }
    })
  }

  it('is still named by lists', async () => {
    const { json } = await world.visitor.get('/v2/users?filter[login]=closed')
    assert.deepEqual([json.length, json[0].id, json[0]['active?']], [1, closed, false])
  })
})
