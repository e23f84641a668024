/** Programs that others published, unmodified and with the addresses that are written into them, against a seeded service. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { NamedValues } from '@campus/intranet/oauth/applications/by-operators'
import { campus, type World } from '../support/campus.ts'
import { temporaryFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { type Flow, flowOf } from '../support/oauth-flow.ts'
import { tcpProxy } from '../support/tcp-proxy.ts'
import type { Visitor } from '../support/visitor.ts'
import { servedPaths } from './served-paths.ts'
import { HOST, startProgram } from './start-program.ts'

describe('published programs, as they come', () => {
  let world: World
  let flow: Flow
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let person: Visitor & { id: number; login: string }
  let served: readonly string[]
  /** A scholar of the demonstration school, and records that programs are pointed at. */
  let school: Awaited<ReturnType<typeof pointAt>>

  before(async () => {
    world = await campus({ seeded: true, env: { CAMPUS_BASE_URL: `https://${HOST}` } })
    flow = flowOf(world)
    folder = await temporaryFolder()
    await writeFile(join(folder.path, 'ca.pem'), world.ca)
    person = await flow.person({ first_name: 'Grace', last_name: 'Hopper', image: 'https://cdn.example/grace.jpg' })
    served = await servedPaths(world)
    school = await pointAt(world)
  })
  after(async () => {
    await folder.remove()
    await world.close()
  })

  type Options = Partial<NamedValues> & { readonly redirectUri?: string; readonly more?: object }

  /** Runs a program as a new application whose authorizations the person allows. */
  async function run(name: string, { redirectUri = 'https://app.example/cb', more = {}, ...values }: Options = {}) {
    const app = await flow.application({ redirect_uris: [redirectUri], ...values })
    const { uid, secret } = app
    async function allow(address: string): Promise<string> {
      const { origin, pathname, search } = new URL(address)
      assert.equal(origin, world.url)
      const asked = await person.get(pathname + search)
      const page = asked.location ? asked : await person.submit(pathname + search, { decision: 'allow' })
      assert.ok(page.location, page.text)
      return page.location
    }
    const given = { uid, secret: secret ?? '', redirectUri, school: { ...school, ...more }, served }
    return startProgram(world, name, { ...given, allow, caFile: join(folder.path, 'ca.pem') })
  }

  const list = async (path: string) => (await world.director.get(path)).json
  const ids = async (path: string): Promise<number[]> => (await list(path)).map(({ id }: { id: number }) => id)
  const logins = async (path: string) => (await list(path)).map(({ login }: { login: string }) => login)

  test('@codam/fast42 lists, writes and deletes with a body', async () => {
    const app = { scopes: ['public', 'projects', 'profile'], roles: ['Advanced Staff'], rate_per_second: 20 }
    const registered = await flow.application(app)
    const { access_token } = await flow.tokens(person, registered, { scope: 'public profile' })
    const { uid, secret } = registered
    const given = { uid, secret: secret ?? '', redirectUri: '', served, caFile: join(folder.path, 'ca.pem') }
    const more = { ...school, person: person.id, personToken: access_token }
    const made = await startProgram(world, 'fast42', { ...given, school: more, allow: assert.fail })
    assert.deepEqual(made, {
      logins: await logins(`/v2/campus/${school.campus}/users?sort=login&per_page=100`),
      second: await ids('/v2/users?sort=id&per_page=10&page=2'),
      made: 201,
      changed: [204, 204, 204],
      going: [201, school.event, person.id],
    })
  })

  for (const [name, program] of [
    ['@codam/fast42', 'fast42-paced'],
    ['bottleneck', 'bottleneck'],
  ] as const) {
    test(`${name} paces a whole list over a line with jitter, and none of its requests is refused`, async () => {
      let requests = 0
      const jitter = () => [0, 280, 40, 300, 120][requests++ % 5] ?? 0
      const slow = await tcpProxy(`https://127.0.0.1:${world.config.port}`, jitter)
      const { uid, secret } = await flow.application({ scopes: ['public', 'projects', 'profile'] })
      const { port } = new URL(slow.url)
      const given = { uid, secret: secret ?? '', redirectUri: '', served, caFile: join(folder.path, 'ca.pem'), port }
      const { statuses, total, ids } = await startProgram(world, program, { ...given, school, allow: assert.fail })
      await slow.close()
      assert.deepEqual(new Set(statuses), new Set([200]))
      assert.ok(statuses.length > 5)
      assert.deepEqual([ids.length, new Set(ids).size], [total, total])
    })
  }

  test('@ibertran/api42 follows the addresses in Link, and signs a person in', async () => {
    const made = await run('api42-ibertran', { scopes: ['public'] })
    const { everybody, years, secretValidUntil, logtime, ...rest } = made
    assert.deepEqual(everybody, await ids('/v2/users?per_page=100'))
    assert.ok(years.length > 0 && years.every((year: string) => year === '2023' || year === '2024'), String(years))
    assert.ok(secretValidUntil > Date.parse('2026-03-02'))
    assert.deepEqual(rest, {
      user: [school.login, true, true],
      group: (await list(`/v2/groups/${school.group}/groups_users?per_page=100`)).map(
        (one: { user_id: number }) => one.user_id,
      ),
      coalition: [school.coalition, (await list(`/v2/coalitions/${school.coalition}`)).name],
      sessions: (await ids(`/v2/projects/${school.project}/project_sessions`)).map(() => school.project),
      renewed: true,
      me: person.login,
    })
    if (served.includes('/v2/users/{user_id}/locations_stats')) assert.equal(logtime, 'number')
  })

  test('42.js signs a person in under /v2, and offers time for evaluations', async () => {
    const redirectUri = `http://localhost:${await freePort()}/callback`
    const scopes = ['public', 'projects']
    const made = await run('42js', { redirectUri, scopes, more: { slot: ['2026-03-03T10:00Z', '2026-03-03T11:00Z'] } })
    const { evaluations, others, ...rest } = made
    assert.ok(others)
    assert.deepEqual(new Set(evaluations), new Set([school.user]))
    assert.deepEqual(rest, {
      user: [school.login, (await list(`/v2/users/${school.login}`)).displayname],
      students: await logins('/v2/users?filter[kind]=student&sort=login&per_page=12'),
      campus: [school.campus, 'Grenoble', 'Europe/Paris'],
      cursus: [school.cursus, school.cursusSlug],
      project: [school.project, school.projectSlug],
      events: [school.pastEvent, school.pastEvent, school.pastEvent],
      callback: 200,
      person: person.login,
      offered: ['10:00', '10:15', '10:30', '10:45'].map((time) => `2026-03-03T${time}:00.000Z`),
      mine: 4,
      withdrawn: true,
    })
  })

  test('api42client exchanges a code as JSON', async () => {
    assert.deepEqual(await run('api42client'), {
      again: true,
      validAfterReplay: false,
      valid: true,
      rest: ['created_at', 'expires_in', 'refresh_token', 'scope', 'secret_valid_until', 'token_type'],
      me: [person.login, 'Grace Hopper'],
    })
  })

  test('42api reads what it names', async () => {
    assert.deepEqual(await run('42api', { scopes: ['public'] }), {
      users: await logins('/v2/users?page=2&per_page=5&sort=-login'),
      user: school.login,
      locations: await ids(`/v2/locations?filter[campus_id]=${school.campus}&filter[active]=true`),
      stays: await ids(`/v2/users/${school.login}/locations`),
      campuses: await ids('/v2/campus?sort=id'),
      campus: 'Grenoble',
      projects: await ids('/v2/projects?filter[exam]=true'),
      project: school.projectSlug,
      userRoles: true,
      roles: true,
      skills: true,
      cursusSkills: true,
      projectsUser: school.projectsUser,
    })
  })

  test('@ibertran/fortytwo-intra-client counts pages by Link, writes, and signs a person in', async () => {
    const made = await run('fortytwo-intra-client', { scopes: ['public', 'projects'], roles: ['Advanced Tutor'] })
    const { byPool, inQuery, infos, ...rest } = made
    assert.deepEqual(new Set(inQuery), new Set(['student']))
    const pool = await world.director.get('/v2/users?filter[pool_month]=july,august&per_page=1')
    assert.equal(new Set(byPool).size, Number(pool.headers.get('x-total')))
    assert.deepEqual(infos.slice(0, 2), [person.id, ['public', 'projects']])
    assert.deepEqual(rest, {
      everybody: await ids(`/v2/campus/${school.campus}/users?sort=id&per_page=100`),
      team: ['Byte club', 'Bit club', '', ''],
      missing: 404,
      state: 'as sent',
      me: [person.id, person.login],
    })
  })

  test('arctic signs a person in', async () => {
    assert.deepEqual(await run('arctic', { scopes: ['public', 'projects'] }), {
      sameState: true,
      type: 'bearer',
      scopes: ['public', 'projects'],
      lifeSeconds: 7200,
      refresh: true,
      me: person.login,
      refused: [true, 'invalid_grant'],
    })
  })

  test('@fastify/oauth2 signs a person in, and renews the token', async () => {
    assert.deepEqual(await run('fastify-oauth2'), { login: person.login, renewed: true })
  })

  test('passport-42 signs a person in', async () => {
    const { id, username, displayName, emails, hasRefreshToken } = await run('passport-42')
    assert.deepEqual(
      [id, username, displayName, emails[0].value, hasRefreshToken],
      [String(person.id), person.login, 'Grace Hopper', `${person.login}@campus.test`, true],
    )
  })

  test('Auth.js signs a person in', async () => {
    assert.deepEqual(await run('auth-js', { redirectUri: 'https://app.example/auth/callback/42-school' }), {
      name: 'Grace Hopper',
      email: `${person.login}@campus.test`,
      image: 'https://cdn.example/grace.jpg',
    })
  })
})

/** Records of the demonstration school that programs ask for by id, slug or login. */
async function pointAt({ database }: World) {
  const one = async (statement: string) => {
    const [row] = await database.rows(`${statement} limit 1`)
    assert.ok(row, statement)
    return row
  }
  const [user, login] = await one(
    `select u.id, u.login from users u where closed_at is null and exists (select from scale_teams s where s.user_id = u.id)
     and exists (select from cursus_users c where c.user_id = u.id)
     and (select count(*) from titles_users t where t.user_id = u.id) <= (select count(*) from titles) - 2 order by u.id`,
  )
  const [project, projectSlug, cursus, cursusSlug] = await one(
    `select p.id, p.slug, c.id, c.slug from projects p join projects_cursus pc on pc.project_id = p.id
     join cursus c on c.id = pc.cursus_id where exists (select from project_sessions where project_id = p.id) order by p.id`,
  )
  const [group] = await one('select group_id from groups_users group by 1 having count(*) > 1 order by 1')
  const [coalitionMember, coalition] = await one(
    `select user_id, min(coalition_id) from coalitions_users group by 1 having count(*) = 1 order by 1`,
  )
  const [projectsUser] = await one('select id from projects_users order by id')
  const [newcomer] = await one(
    `select id from users u where closed_at is null and not exists (select from teams_users where user_id = u.id) order by id desc`,
  )
  const [title, otherTitle] = await one(
    `select a.id, b.id from titles a, titles b where a.id < b.id
     and not exists (select from titles_users where user_id = ${user} and title_id in (a.id, b.id)) order by 1, 2`,
  )
  const [event] = await one(`select id from events where begin_at > '2026-03-03' and max_people is null order by id`)
  const [pastEvent] = await one('select event_id from events_users group by 1 having count(*) > 3 order by 1')
  const records = { user, newcomer, project, projectsUser, cursus, group, coalitionMember, coalition }
  const numbers = { ...records, title, otherTitle, event, pastEvent }
  const asNumbers = Object.entries(numbers).map(([name, value]) => [name, Number(value)] as const)
  return {
    ...(Object.fromEntries(asNumbers) as Record<keyof typeof numbers, number>),
    campus: 1,
    login: String(login),
    projectSlug: String(projectSlug),
    cursusSlug: String(cursusSlug),
  }
}
