/** Checks that nobody changes an account with more rights than their own, or of another campus. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createApplication } from '@campus/test/support/application'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { mailServer } from '@campus/test/support/mail-server'
import { PASSWORD, personOf, type SignedIn, signedInOf } from '@campus/test/support/people'
import { visitorOf } from '@campus/test/support/visitor'
import { PARENTS } from '../../access/campus-records.ts'
import { denialOf } from '../../access/powers.ts'
import { writeMail } from '../../school/domain/mails/write-mail.ts'
import { declaredRegistry } from '../../school/resources/declared.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

const ROLES = ['Advanced Staff', 'Advanced Tutor']
const SCOPES = ['public', 'tig', 'profile']

type Values = Readonly<Record<string, unknown>>
type Person = { readonly id: number; readonly login: string }

let world: World
let mail: Awaited<ReturnType<typeof mailServer>>
let here: number
let there: number
before(async () => {
  mail = await mailServer()
  world = await campus({ env: { CAMPUS_MAIL_URL: mail.url, CAMPUS_MAIL_FROM: 'Campus <campus@school.test>' } })
  await world.database.rows("insert into mail_senders (until) values (now() + interval '1 day') on conflict do nothing")
  ;[here, there] = [await world.build.campus(), await world.build.campus()]
})
after(async () => {
  await world.close()
  await mail.close()
})

const join = async (user_id: number, campuses: readonly number[]) => {
  for (const [at, campus_id] of campuses.entries()) {
    await world.build.record('campus_users', { user_id, campus_id, is_primary: at === 0 })
  }
}

type Kind = {
  readonly campuses: () => readonly number[]
  readonly role?: string
  readonly applicationRole?: string
} & Values

/** Kinds of actors and of changed accounts. */
const KINDS = {
  stranger: { campuses: () => [there] },
  fellow: { campuses: () => [here] },
  'of both': { campuses: () => [here, there] },
  'of none': { campuses: () => [] },
  closed: { campuses: () => [here], closed_at: '2026-01-01' },
  guest: { campuses: () => [here], kind: 'external' },
  'tutor with a role': { campuses: () => [here], role: 'Basic Tutor' },
  'owner of a tutor’s application': { campuses: () => [here], applicationRole: 'Basic Tutor' },
  staff: { campuses: () => [here], kind: 'admin' },
  'staff elsewhere': { campuses: () => [there], kind: 'admin' },
  'staff of both': { campuses: () => [here, there], kind: 'admin' },
  'staff of none': { campuses: () => [], kind: 'admin' },
  'staff with a role': { campuses: () => [here], kind: 'admin', role: 'Basic Staff' },
  'staff with a higher role': { campuses: () => [here], kind: 'admin', role: 'Advanced Staff' },
  administrator: { campuses: () => [], kind: 'admin', isAdministrator: true },
} satisfies Readonly<Record<string, Kind & { readonly isAdministrator?: boolean }>>
type Name = keyof typeof KINDS

async function make(name: Name): Promise<Person> {
  const { campuses, role, applicationRole, isAdministrator, ...values }: Kind & { readonly isAdministrator?: boolean } =
    KINDS[name]
  const person = await personOf(world, values)
  await world.database.rows('delete from administrators where user_id = $1', [person.id])
  if (isAdministrator) await world.database.rows('insert into administrators values ($1, now())', [person.id])
  await join(person.id, campuses())
  if (role) {
    await world.database.rows('insert into roles_users (user_id, role_id) select $1, id from roles where name = $2', [
      person.id,
      role,
    ])
  }
  if (applicationRole) await applicationOf(person.id, [applicationRole])
  return person
}

async function applicationOf(ownerId: number, roles: readonly string[] = []): Promise<number> {
  const { id } = await world.database.transaction((tx) => createApplication(tx, { name: 'Map', roles }))
  await world.database.rows('update applications set owner_id = $1 where id = $2', [ownerId, id])
  return id
}

describe('power over an account', () => {
  /** Accounts that each actor may change. Other actors may change none. */
  const POWERS: Readonly<Partial<Record<Name, readonly Name[]>>> = {
    staff: ['fellow', 'of both', 'closed', 'guest', 'tutor with a role', 'staff'],
    'staff elsewhere': ['stranger', 'of both', 'staff elsewhere'],
    'staff of both': [
      ...(['stranger', 'fellow', 'of both', 'closed', 'guest', 'tutor with a role'] as const),
      ...(['staff', 'staff elsewhere', 'staff of both'] as const),
    ],
    'staff with a role': [
      ...(['fellow', 'of both', 'closed', 'guest', 'tutor with a role'] as const),
      ...(['staff', 'staff with a role'] as const),
    ],
    'staff with a higher role': [
      ...(['fellow', 'of both', 'closed', 'guest', 'tutor with a role'] as const),
      ...(['staff', 'staff with a role', 'staff with a higher role'] as const),
    ],
    administrator: Object.keys(KINDS) as Name[],
  }

  it('is that of staff of their campus who have each right that they have, and of administrators', async () => {
    const names = Object.keys(KINDS) as Name[]
    for (const acting of names) {
      const allowed: string[] = []
      const actor = await make(acting)
      assert.equal(await denialOf(world.database, actor.id, actor.id), 'oneself', acting)
      for (const name of names) {
        if (!(await denialOf(world.database, actor.id, (await make(name)).id))) allowed.push(name)
      }
      assert.deepEqual(allowed.sort(), [...(POWERS[acting] ?? [])].sort(), acting)
    }
  })

  it('comes with the same role of an application of one’s own', async () => {
    const [staff, owner] = [await make('staff'), await make('owner of a tutor’s application')]
    assert.equal(await denialOf(world.database, staff.id, owner.id), 'moreRights')
    await applicationOf(staff.id, ['Advanced Tutor'])
    assert.equal(await denialOf(world.database, staff.id, owner.id), undefined)
  })

  it('is that of all staff where the school has one campus', async () => {
    const [staff, none] = [await make('staff elsewhere'), await make('of none')]
    assert.equal(await denialOf(world.database, staff.id, none.id), 'otherCampus')
    const single = await campus()
    try {
      await single.build.campus()
      const [boss, person] = [await single.build.user({ kind: 'admin' }), await single.build.user()]
      assert.equal(await denialOf(single.database, boss, person), undefined)
    } finally {
      await single.close()
    }
  })
})

/** Somebody who acts, in a browser and with a token of theirs of an application that may do everything. */
type Acting = SignedIn & { readonly api: Client }

async function acting(name: Name): Promise<Acting> {
  const { id, login } = await make(name)
  const browser = await signedInAs(login)
  return { id, login, browser, api: await world.caller({ roles: ROLES, scopes: SCOPES, user: id }) }
}

async function signedInAs(login: string) {
  const browser = visitorOf(world)
  await browser.signIn(login, PASSWORD)
  return browser
}

/** Returns an account without its times. */
async function stateOf({ id }: Person): Promise<string> {
  const rows = await world.database.rows(
    `select (select jsonb_build_array(login, email, kind, email_stop, password_digest, closed_at) from users where id = $1),
       (select jsonb_agg(row (campus_id, is_primary) order by id) from campus_users where user_id = $1),
       (select jsonb_agg(role_id order by id) from roles_users where user_id = $1),
       (select jsonb_agg(row (state, reason) order by id) from closes where user_id = $1),
       (select count(*) from second_factors where user_id = $1), (select count(*) from password_resets where user_id = $1),
       (select jsonb_agg(row (a.id, name, owner_id, rate_per_second,
         array(select role_id from application_roles where application_id = a.id)) order by a.id)
        from applications a where owner_id = $1),
       (select count(*) from audit_events where subject_id = $1)`,
    [id],
  )
  return JSON.stringify(rows)
}

type Prepared = Person & { readonly record: number }
type Way = {
  /** Creates the record that the action needs. */
  readonly prepare?: (subject: Person) => Promise<number>
  readonly act: (actor: Acting, subject: Prepared) => Promise<{ readonly status: number; readonly text: string }>
}

const page =
  (path: (subject: Prepared) => string, fields: Readonly<Record<string, string>> = {}): Way['act'] =>
  async ({ browser }, subject) =>
    browser.submit('/security', fields, path(subject))

const protect = async ({ id }: Person) => {
  await world.database.rows(
    `insert into second_factors (user_id, sealed_secret, created_at, confirmed_at) values ($1, '', now(), now())`,
    [id],
  )
  return 0
}

const REASON = { kind: 'other', reason: 'Away' }
const closeOf =
  (state: string) =>
  async ({ id }: Person) => {
    await world.database.rows('update users set closed_at = $2 where id = $1', [
      id,
      state === 'close' ? world.clock.now() : null,
    ])
    return world.build.record('closes', { user_id: id, ...REASON, state })
  }

const roleOf = async ({ id }: Person) =>
  world.build.record('roles_users', { user_id: id, role_id: await roleId('Beta') })
const roleId = async (name: string) =>
  Number((await world.database.rows('select id from roles where name = $1', [name]))[0]?.[0])
const membershipOf = async ({ id }: Person) =>
  Number((await world.database.rows('select min(id) from campus_users where user_id = $1', [id]))[0]?.[0])
const ownedBy = ({ id }: Person) => applicationOf(id)
const patchUser = (values: (subject: Person) => object): Way => ({
  act: ({ api }, subject) => api.patch(`/v2/users/${subject.id}`, { user: values(subject) }),
})

/** A campus whose staff the acting person is, beside their first one. */
async function campusOfBoth({ id }: Acting): Promise<number> {
  const campus_id = await world.build.campus()
  await world.build.record('campus_users', { user_id: id, campus_id, is_primary: false })
  return campus_id
}

/** Which change nothing in an account whose one campus is here. */
const REPEATED: readonly string[] = ['a campus', 'the primary campus', 'a primary membership']

/** Every way by which one person changes another's account; a new one is to be added. */
const WAYS: Readonly<Record<string, Way>> = {
  'a reset link, on a page': { act: page(({ id }) => `/staff/users/${id}/reset-link`) },
  'the second factor, on a page': {
    prepare: protect,
    act: page(({ id }) => `/staff/users/${id}/remove-second-factor`, { confirmed: 'yes' }),
  },
  'the second factor': {
    prepare: protect,
    act: ({ api }, { id }) => api.delete(`/v2/users/${id}/otp_settings/remove`),
  },
  'a close, on a page': { act: page(({ id }) => `/staff/users/${id}`, REASON) },
  'the end of closes, on a page': { prepare: closeOf('close'), act: page(({ id }) => `/staff/users/${id}/unclose`) },
  'a close': { act: ({ api }, { id }) => api.post('/v2/closes', { close: { user_id: id, ...REASON } }) },
  'a close below the person': { act: ({ api }, { id }) => api.post(`/v2/users/${id}/closes`, { close: REASON }) },
  'another reason of a close': {
    prepare: closeOf('close'),
    act: ({ api }, { record }) => api.patch(`/v2/closes/${record}`, { close: { reason: 'Gone' } }),
  },
  'the end of a close': {
    prepare: closeOf('close'),
    act: ({ api }, { record }) => api.patch(`/v2/closes/${record}/unclose`, {}),
  },
  'a close again': {
    prepare: closeOf('unclose'),
    act: ({ api }, { record }) => api.patch(`/v2/closes/${record}/close`, {}),
  },
  'no close any more': {
    prepare: closeOf('unclose'),
    act: ({ api }, { record }) => api.delete(`/v2/closes/${record}`),
  },
  'a password': patchUser(() => ({ password: 'battery staple horse' })),
  'an address': patchUser(({ login }) => ({ email: `${login}@elsewhere.test` })),
  'a login': patchUser(({ login }) => ({ login: `x${login}` })),
  'a kind': patchUser(() => ({ kind: 'external' })),
  'whether they get mail': patchUser(() => ({ email_stop: true })),
  'a campus': patchUser(() => ({ campus_id: here })),
  'a campus among others': {
    act: async (actor, { id }) => {
      const campus_id = await campusOfBoth(actor)
      const campus_users_attributes = [{ campus_id, is_primary: false }]
      return actor.api.patch(`/v2/users/${id}`, { user: { campus_users_attributes } })
    },
  },
  'the primary campus': {
    act: ({ api }, { id }) => api.post(`/v2/users/${id}/set_primary_campus`, { campus_id: here }),
  },
  'a membership of a campus': {
    act: async (actor, { id }) => {
      const campus_id = await campusOfBoth(actor)
      return actor.api.post('/v2/campus_users', { campus_user: { user_id: id, campus_id, is_primary: false } })
    },
  },
  'the end of a membership': {
    prepare: membershipOf,
    act: ({ api }, { record }) => api.delete(`/v2/campus_users/${record}`),
  },
  'a primary membership': {
    prepare: membershipOf,
    act: ({ api }, { record }) => api.post(`/v2/campus_users/${record}/set_as_primary`, {}),
  },
  'a role': {
    act: async ({ api }, { id }) =>
      api.post('/v2/roles_users', { roles_user: { user_id: id, role_id: await roleId('Beta') } }),
  },
  'another role': {
    prepare: roleOf,
    act: async ({ api }, { record }) =>
      api.patch(`/v2/roles_users/${record}`, { roles_user: { role_id: await roleId('Moderator') } }),
  },
  'no role any more': { prepare: roleOf, act: ({ api }, { record }) => api.delete(`/v2/roles_users/${record}`) },
  'an application': {
    act: ({ api }, { id }) => api.post('/v2/apps', { app: { name: 'Gift', owner_id: id } }),
  },
  'a name of an application': {
    prepare: ownedBy,
    act: ({ api }, { record }) => api.patch(`/v2/apps/${record}`, { app: { name: 'Plan' } }),
  },
  'a rate of an application': {
    prepare: ownedBy,
    act: ({ api }, { record }) => api.patch(`/v2/apps/${record}`, { app: { rate_per_second: 7 } }),
  },
  'a rate of an application, on a page': {
    prepare: ownedBy,
    act: page(({ record }) => `/staff/applications/${record}`, { rate_per_second: '7', rate_per_hour: '70' }),
  },
  'no application any more': { prepare: ownedBy, act: ({ api }, { record }) => api.delete(`/v2/apps/${record}`) },
}

describe('every way to change somebody’s account', () => {
  const actors = new Map<Name, Acting>()
  before(async () => {
    for (const name of ['stranger', 'fellow', 'staff', 'staff elsewhere', 'administrator'] as const) {
      actors.set(name, await acting(name))
    }
  })
  const actorOf = (name: Name) => actors.get(name) as Acting

  for (const [what, { prepare, act }] of Object.entries(WAYS)) {
    /** The state of somebody new before and after, and what was answered. */
    const attempt = async (actor: Acting, subject: Person) => {
      const prepared = { ...subject, record: (await prepare?.(subject)) ?? 0 }
      const earlier = await stateOf(subject)
      const answer = await act(actor, prepared)
      return { ...answer, isSame: (await stateOf(subject)) === earlier }
    }

    it(`${what}: is open to staff of the campus, and to administrators`, async () => {
      for (const name of ['staff', 'administrator'] as const) {
        const { status, text, isSame } = await attempt(actorOf(name), await make('fellow'))
        assert.ok(status < 400, `${name}: ${status} ${text}`)
        assert.ok(!isSame || REPEATED.includes(what), `${name}: nothing was done`)
      }
    })

    it(`${what}: is refused to everybody else, and nothing is done`, async () => {
      for (const [name, subject] of [
        ['stranger', 'fellow'],
        ['fellow', 'fellow'],
        ['staff elsewhere', 'fellow'],
        ['staff', 'of none'],
        ['staff', 'staff of both'],
        ['staff', 'staff with a higher role'],
        ['staff', 'owner of a tutor’s application'],
        ['staff', 'administrator'],
      ] as const) {
        // There is no membership to change.
        if (prepare === membershipOf && KINDS[subject].campuses().length === 0) continue
        const { status, text, isSame } = await attempt(actorOf(name), await make(subject))
        assert.equal(status, 403, `${name} and ${subject}: ${status} ${text}`)
        assert.ok(isSame, `${name} and ${subject}: something was done`)
      }
    })
  }

  it('is open to an application that acts for nobody', async () => {
    const { id, login } = await make('administrator')
    const answer = await world.director.patch(`/v2/users/${id}`, { user: { email: `${login}@other.test` } })
    assert.equal(answer.status, 204, answer.text)
  })
})

/** A webservice with a delivery that was given up, of the given campuses. */
type Webservice = { readonly id: number; readonly delivery: number; readonly campuses: readonly number[] }

async function webserviceOf(campuses: number, { isNew = false } = {}): Promise<Webservice> {
  const url = `https://127.0.0.1:9/${Math.random()}`
  const id = await world.build.record('endpoints', { url, active: true })
  const delivery = isNew ? 0 : await deliveryTo(id)
  const places = [here, there].slice(0, campuses)
  for (const place of places) await choose(place, id)
  return { id, delivery, campuses: places }
}

const choose = (campusId: number, endpointId: number | null) =>
  world.database.rows('update campus set endpoint_id = $2 where id = $1', [campusId, endpointId])

const BODY = 'Heard 7 things'
const deliveryTo = (endpoint_id: number) =>
  world.build.record('deliveries', {
    endpoint_id,
    user_id: 7,
    login: 'ada',
    event: 'updated',
    state: 'dead',
    record: '{"login":"ada"}',
    answer: BODY,
  })

/** Returns a webservice and the state of its deliveries, without times. */
const stateOfWebservice = async ({ id }: Webservice) =>
  JSON.stringify(
    await world.database.rows(
      `select (select jsonb_build_array(url, description, secret_digest, active) from endpoints where id = $1),
         array(select id from campus where endpoint_id = $1 order by id),
         array(select state from deliveries where endpoint_id = $1 order by id),
         (select count(*) from callbacks where endpoint_id = $1)`,
      [id],
    ),
  )

type WebserviceWay = (
  actor: Acting,
  webservice: Webservice,
) => Promise<{ readonly status: number; readonly text: string }>

const patchWebservice =
  (values: object): WebserviceWay =>
  ({ api }, { id }) =>
    api.patch(`/v2/endpoints/${id}`, { endpoint: values })
const CALLBACK = { url: 'https://127.0.0.1:9/', user_id: 0, initial_data: {}, response_data: {} }
const WEBSERVICE_FIELDS = { url: 'https://127.0.0.1:9/page', description: '', secret: 'another' }

/** Every way by which somebody changes a webservice or what it gets; a new one is to be added. */
const WEBSERVICE_WAYS: Readonly<Record<string, WebserviceWay>> = {
  'its address': patchWebservice({ url: 'https://127.0.0.1:9/evil' }),
  'its secret': patchWebservice({ secret: 'mine' }),
  'its description': patchWebservice({ description: 'Ours' }),
  'whether it is on': patchWebservice({ active: false }),
  'its end': ({ api }, { id }) => api.delete(`/v2/endpoints/${id}`),
  'a replay of a range': ({ api }, { id }) => api.post(`/v2/endpoints/${id}/replay`, { endpoint: { state: 'dead' } }),
  'a replay': ({ api }, { id, delivery }) => api.post(`/v2/endpoints/${id}/deliveries/${delivery}/replay`, {}),
  'a report of an answer': ({ api, id: user_id }, { id }) =>
    api.post(`/v2/endpoints/${id}/callback`, { endpoint: { ...CALLBACK, user_id } }),
  'its address and secret, on a page': ({ browser }, { id, campuses }) =>
    browser.submit(
      '/security',
      { ...WEBSERVICE_FIELDS, campuses: campuses.map(String) },
      `/staff/endpoints/${id}/edit`,
    ),
  'whether it is on, on a page': ({ browser }, { id }) =>
    browser.submit('/security', { active: 'no', confirmed: 'yes' }, `/staff/endpoints/${id}/switch`),
  'a replay of a range, on a page': ({ browser }, { id }) =>
    browser.submit('/security', { replay_state: 'dead', from: '', to: '' }, `/staff/endpoints/${id}`),
  'a replay, on a page': ({ browser }, { delivery }) =>
    browser.submit('/security', {}, `/staff/deliveries/${delivery}`),
}

describe('every way to change a webservice', () => {
  /** Webservices that each actor may change: of this campus, of both campuses, of no campus. */
  const EXPECTED: Readonly<Record<'staff' | 'staff elsewhere' | 'staff of both' | 'administrator' | 'fellow', string>> =
    {
      fellow: '',
      'staff elsewhere': '',
      staff: 'here',
      'staff of both': 'here, both',
      administrator: 'here, both, none',
    }
  const actors = new Map<string, Acting>()
  before(async () => {
    for (const name of Object.keys(EXPECTED)) actors.set(name, await acting(name as Name))
  })

  for (const [what, act] of Object.entries(WEBSERVICE_WAYS)) {
    it(`${what}: is open to staff of all its campuses, and to administrators`, async () => {
      for (const [name, expected] of Object.entries(EXPECTED)) {
        const allowed: string[] = []
        for (const [at, kind] of ['none', 'here', 'both'].entries()) {
          const webservice = await webserviceOf(at)
          const earlier = await stateOfWebservice(webservice)
          const { status, text } = await act(actors.get(name) as Acting, webservice)
          const isSame = (await stateOfWebservice(webservice)) === earlier
          if (status < 400) allowed.unshift(kind)
          else assert.equal(status, 403, `${name} and ${kind}: ${status} ${text}`)
          assert.equal(isSame, status === 403, `${name} and ${kind}: ${status}`)
        }
        const order = ['here', 'both', 'none'].filter((kind) => allowed.includes(kind)).join(', ')
        assert.equal(order, expected, name)
      }
    })
  }

  it('is open to an application that acts for nobody, and one that is new is every staff’s', async () => {
    const { id } = await webserviceOf(2)
    const answer = await world.director.patch(`/v2/endpoints/${id}`, { endpoint: { description: 'Ours' } })
    assert.equal(answer.status, 204, answer.text)
    const fresh = await webserviceOf(0, { isNew: true })
    const change = await patchWebservice({ description: 'Ours' })(actors.get('staff') as Acting, fresh)
    assert.equal(change.status, 204, change.text)
  })
})

describe('the webservice of a campus', () => {
  it('is chosen by staff of it who may change that webservice, and by administrators', async () => {
    const [staff, elsewhere, boss] = [
      await acting('staff'),
      await acting('staff elsewhere'),
      await acting('administrator'),
    ]
    const [ours, fresh] = [await webserviceOf(1), await webserviceOf(0, { isNew: true })]
    const pick = ({ api }: Acting, campusId: number, endpoint_id: number | null) =>
      api.patch(`/v2/campus/${campusId}`, { campus: { endpoint_id } })
    const chosen = async () =>
      (await world.database.rows('select endpoint_id from campus where id = $1', [here]))[0]?.[0]

    for (const endpoint of [fresh.id, null]) assert.equal((await pick(elsewhere, here, endpoint)).status, 403)
    assert.equal((await pick(elsewhere, there, ours.id)).status, 403)
    assert.equal((await pick(staff, there, fresh.id)).status, 403)
    assert.equal(await chosen(), String(ours.id))
    const place = {
      name: 'Third',
      time_zone: 'Europe/Paris',
      language_id: await world.build.record('languages', { name: 'X', identifier: 'x' }),
    }
    assert.equal((await staff.api.post('/v2/campus', { campus: { ...place, endpoint_id: ours.id } })).status, 403)
    assert.equal((await pick(elsewhere, here, ours.id)).status, 204, 'nothing changes')

    assert.equal((await pick(staff, here, fresh.id)).status, 204)
    assert.equal(await chosen(), String(fresh.id))
    assert.equal((await pick(boss, there, fresh.id)).status, 204)
    assert.equal((await pick(staff, here, null)).status, 204)
  })

  it('is registered and chosen on pages for campuses of one’s own alone', async () => {
    const staff = await acting('staff')
    const form = await staff.browser.get('/staff/endpoints/new')
    const offered = [...form.text.matchAll(/name="campuses\[\]" value="(\d+)"/g)].map(([, id]) => Number(id))
    assert.deepEqual(offered, [here])
    const register = (campuses: readonly number[]) =>
      staff.browser.submit('/staff/endpoints/new', { ...WEBSERVICE_FIELDS, campuses: campuses.map(String) })
    const count = async () => (await world.database.rows('select count(*) from endpoints'))[0]?.[0]
    const earlier = await count()
    assert.equal((await register([here, there])).status, 403)
    assert.equal(await count(), earlier)
    assert.equal((await register([here])).status, 303)
  })

  it('shows what it got and answered to nobody else', async () => {
    const { id, delivery } = await webserviceOf(1)
    const callback = await world.build.record('callbacks', {
      endpoint_id: id,
      user_id: await world.build.user(),
      url: 'https://127.0.0.1:9/',
      initial_data: '{"a":1}',
      response_data: '{"b":2}',
    })
    const read = async (name: Name) => {
      const { api, browser } = await acting(name)
      const { json } = await api.get(`/v2/deliveries/${delivery}`)
      const reported = (await api.get(`/v2/callbacks/${callback}`)).json
      const page = await browser.get(`/staff/deliveries/${delivery}`)
      const edit = await browser.get(`/staff/endpoints/${id}/edit`)
      return [
        [json.record, json.answer, reported.initial_data, reported.response_data],
        page.status === 200 && page.text.includes(BODY),
        edit.status,
      ]
    }
    const shown = [[{ login: 'ada' }, BODY, { a: 1 }, { b: 2 }], true, 200]
    const hidden = [[{}, null, {}, {}], false, 403]
    for (const name of ['staff', 'staff of both', 'administrator'] as const)
      assert.deepEqual(await read(name), shown, name)
    for (const name of ['staff elsewhere', 'fellow'] as const) assert.deepEqual(await read(name), hidden, name)
    await choose(there, id)
    assert.deepEqual(await read('staff'), hidden)
    assert.deepEqual(await read('staff of both'), shown)
  })

  it('is that of all staff in a school of one campus', async () => {
    const single = await campus()
    try {
      const endpoint_id = await single.build.record('endpoints', { url: 'https://127.0.0.1:9/', active: true })
      const only = await single.build.campus({ endpoint_id })
      const boss = await single.build.user({ kind: 'admin' })
      const api = await single.caller({ roles: ROLES, scopes: SCOPES, user: boss })
      assert.equal((await api.patch(`/v2/endpoints/${endpoint_id}`, { endpoint: { secret: 'new' } })).status, 204)
      assert.equal((await api.patch(`/v2/campus/${only}`, { campus: { endpoint_id: null } })).status, 204)
    } finally {
      await single.close()
    }
  })
})

describe('staff of one campus at another campus', () => {
  const account = (login: string, campus_id: number | undefined) => ({
    ...{ login, email: `${login}@campus.test`, first_name: 'A', last_name: 'B', kind: 'student' },
    ...{ password: 'battery staple horse', campus_id },
  })
  const exists = async (login: string) =>
    (await world.database.rows('select 1 from users where login = $1', [login])).length > 0

  const membersOf = async (group: number) =>
    (await world.database.rows('select user_id from groups_users where group_id = $1', [group])).map(([id]) =>
      Number(id),
    )

  it('create no accounts, by the API or a page', async () => {
    const staff = await acting('staff')
    for (const [login, place] of [
      ['xthere', there],
      ['xnone', undefined],
    ] as const) {
      assert.equal((await staff.api.post('/v2/users', { user: account(login, place) })).status, 403, login)
      const { password: _password, campus_id, ...fields } = account(`${login}page`, place)
      const values = { ...fields, ...(campus_id === undefined ? {} : { campus_id: String(campus_id) }) }
      assert.equal((await staff.browser.submit('/staff/users/new', values)).status, 403, login)
      assert.deepEqual([await exists(login), await exists(`${login}page`)], [false, false])
    }
    assert.equal((await staff.api.post('/v2/users', { user: account('xhere', here) })).status, 201)
    const administrator = await acting('administrator')
    assert.equal((await administrator.api.post('/v2/users', { user: account('xeverywhere', there) })).status, 201)
    assert.equal((await world.director.post('/v2/users', { user: account('xprogram', there) })).status, 201)
  })

  it('see only their own campuses in the form for a new user', async () => {
    const { browser } = await acting('staff')
    const { text } = await browser.get('/staff/users/new')
    assert.match(text, new RegExp(`<option value="${here}"`))
    assert.doesNotMatch(text, new RegExp(`<option value="${there}"`))
  })

  it('take nobody over, by the primary campus or a membership', async () => {
    const staff = await acting('staff')
    const [fellow, stranger] = [await make('fellow'), await make('stranger')]
    const membership = { user_id: fellow.id, campus_id: there, is_primary: false }
    for (const answer of [
      await staff.api.patch(`/v2/users/${fellow.id}`, { user: { campus_id: there } }),
      await staff.api.post(`/v2/users/${fellow.id}/set_primary_campus`, { campus_id: there }),
      await staff.api.post('/v2/campus_users', { campus_user: membership }),
      await staff.api.post('/v2/campus_users', {
        campus_user: { ...membership, user_id: stranger.id, campus_id: here },
      }),
      await staff.api.patch(`/v2/users/${stranger.id}`, { user: { campus_id: here } }),
    ])
      assert.equal(answer.status, 403, answer.text)
    const both = await make('of both')
    const [row] = await world.database.rows('select id from campus_users where user_id = $1 and campus_id = $2', [
      both.id,
      there,
    ])
    assert.equal((await staff.api.delete(`/v2/campus_users/${row?.[0]}`)).status, 403)
  })

  it('write no records of it or of its people, on the pages of records', async () => {
    const { id, browser } = await acting('staff with a higher role')
    const [fellow, stranger] = [await make('fellow'), await make('stranger')]
    const group = await world.build.record('groups', { name: 'Chess' })
    const cursus = await world.build.cursus()
    const times = { begin_at: '2026-03-03T10:00:00Z', end_at: '2026-03-03T12:00:00Z' }
    const exam = (campus: number) => ({ name: 'Exam', campus_id: String(campus), ...times })
    const member = (person: Person) => ({ user_id: String(person.id), group_id: String(group) })
    const student = (person: Person) => ({ user_id: String(person.id), cursus_id: String(cursus) })
    for (const [resource, own, foreign] of [
      ['exams', exam(here), exam(there)],
      ['groups_users', member(fellow), member(stranger)],
      ['cursus_users', student(fellow), student(stranger)],
    ] as const) {
      const count = async () => Number((await world.database.rows(`select count(*) from ${resource}`))[0]?.[0])
      const earlier = await count()
      const refused = await browser.submit(`/staff/records/${resource}/new`, foreign)
      assert.equal(refused.status, 403, `${resource} ${refused.text}`)
      assert.equal(await count(), earlier, resource)
      const made = await browser.submit(`/staff/records/${resource}/new`, own)
      assert.equal(made.status, 303, `${resource} ${made.text}`)
      assert.equal(await count(), earlier + 1, resource)
    }
    const foreign = await world.build.record('exams', { ...exam(there), campus_id: there, location: 'Hall' })
    const changed = await browser.submit(`/staff/records/exams/${foreign}/edit`, {
      name: 'Ours',
      campus_id: String(here),
    })
    assert.equal(changed.status, 403, changed.text)
    assert.ok(id > 0)
  })

  it('import no accounts and no records into it', async () => {
    const { id, browser } = await acting('staff with a higher role')
    await world.build.record('roles_users', { user_id: id, role_id: await roleId('Advanced Tutor') })
    const group = await world.build.record('groups', { name: 'Chess club' })
    const [fellow, stranger] = [await make('fellow'), await make('stranger')]
    for (const [resource, columns, rowOf, isThere] of [
      [
        'users',
        ['login', 'email', 'first_name', 'last_name', 'kind', 'campus_id'],
        (place: number) => [`im${place}`, `im${place}@campus.test`, 'A', 'B', 'student', place],
        (place: number) => exists(`im${place}`),
      ],
      [
        'groups_users',
        ['user_id', 'group_id'],
        (place: number) => [place === here ? fellow.id : stranger.id, group],
        async (place: number) => (await membersOf(group)).includes(place === here ? fellow.id : stranger.id),
      ],
    ] as const) {
      const mapping = Object.fromEntries(columns.map((name, at) => [`column-${at}`, name]))
      for (const [place, isTaken] of [
        [there, false],
        [here, true],
      ] as const) {
        const file = new File([`${columns.join()}\n${rowOf(place).join()}\n`], 'table.csv')
        const { location = '', text } = await browser.upload(`/staff/import/new/${resource}`, { file })
        assert.ok(location, text)
        await browser.submit(location, { wish: 'try', ...mapping })
        await browser.submit(location, { wish: 'run', confirmed: 'yes', ...mapping }, location)
        assert.equal(await isThere(place), isTaken, `${resource} ${place === here ? 'here' : 'there'}`)
      }
    }
  })

  it('write no records that belong to it or its people through other records', async () => {
    const { id, browser } = await acting('staff with a higher role')
    await world.build.record('roles_users', { user_id: id, role_id: await roleId('Advanced Tutor') })
    for (const [name, place] of [
      ['fellow', here],
      ['stranger', there],
    ] as const) {
      for (const [table, record] of Object.entries(await linkedTo(await make(name), place))) {
        const sent = { ids: [String(record)], wish: 'delete' }
        await browser.submit('/security', sent, `/staff/records/${table}/several`)
        const left = await world.database.rows(`select from ${table} where id = $1`, [record])
        assert.equal(left.length, name === 'fellow' ? 0 : 1, `${table} of a ${name}`)
      }
    }
  })

  it('gain no power over a team by adding one of their people to it', async () => {
    const { id, browser } = await acting('staff with a higher role')
    await world.build.record('roles_users', { user_id: id, role_id: await roleId('Advanced Tutor') })
    const [fellow, team] = [await make('fellow'), await teamOf(await make('stranger'))]
    const fields = { team_id: String(team), user_id: String(fellow.id) }
    assert.equal((await browser.submit('/staff/records/teams_users/new', fields)).status, 403)
  })

  it('are checked for every table whose records belong to a campus or user through another record', async () => {
    const tables = new Set(declaredRegistry().resources.map(({ table }) => table))
    const rows = await world.database.rows(
      `with keys as (
         select c.conrelid::regclass::text as source, a.attname::text as name, c.confrelid::regclass::text as target
         from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
         where c.contype = 'f'),
       belonging as (select distinct source from keys where name = any($1))
       select source, name from keys where target in (select source from belonging) and target <> 'users'
         and source not in (select source from belonging)`,
      [['campus_id', 'user_id', 'user_data_id']],
    )
    const found = rows.filter(([source]) => tables.has(String(source)))
    assert.ok(found.length >= 10)
    const missing = found.filter(([source, name]) => !PARENTS[String(source)]?.some(([, column]) => column === name))
    assert.deepEqual(missing, [])
  })
})

async function teamOf({ id }: Person): Promise<number> {
  const { build } = world
  const unique = Math.random()
  const project_id = await build.record('projects', { name: `Project ${unique}`, slug: `project-${unique}` })
  const session = await build.record('project_sessions', { project_id })
  const values = { name: 'Theirs', project_id, project_session_id: session, repo_uuid: `uuid-${unique}` }
  const team = await build.record('teams', values)
  const projects_user_id = await build.record('projects_users', { user_id: id, project_id, current_team_id: team })
  await build.record('teams_users', { team_id: team, user_id: id, leader: true, projects_user_id })
  return team
}

/** A record of each table whose rows name neither a campus nor a user, but belong to the person or the campus. */
async function linkedTo(person: Person, campusId: number): Promise<Readonly<Record<string, number>>> {
  const { build } = world
  const close_id = await build.record('closes', { user_id: person.id, ...REASON, state: 'close' })
  const team = await teamOf(person)
  const bloc_id = await build.record('blocs', { campus_id: campusId, cursus_id: await build.cursus() })
  return {
    community_services: await build.record('community_services', { close_id, duration: 7200 }),
    squads: await build.record('squads', { bloc_id }),
    teams: team,
  }
}

describe('nobody comes to more rights', () => {
  it('by their own account, with a token of theirs', async () => {
    const { id, api } = await acting('staff')
    const role_id = await roleId('Advanced Staff')
    for (const answer of [
      await api.patch(`/v2/users/${id}`, { user: { email: 'new@campus.test' } }),
      await api.patch(`/v2/users/${id}`, { user: { password: 'battery staple horse' } }),
      await api.patch(`/v2/users/${id}`, { user: { campus_id: there } }),
      await api.post('/v2/campus_users', { campus_user: { user_id: id, campus_id: there, is_primary: false } }),
      await api.post('/v2/roles_users', { roles_user: { user_id: id, role_id } }),
      await api.delete(`/v2/users/${id}/otp_settings/remove`),
      await api.post('/v2/closes', { close: { user_id: id, ...REASON } }),
    ]) {
      assert.equal(answer.status, 403, answer.text)
    }
    const student = await acting('fellow')
    const made = await student.api.patch(`/v2/users/${student.id}`, { user: { kind: 'admin' } })
    assert.equal(made.status, 403, made.text)
  })

  it('by making somebody staff of a campus that is not theirs', async () => {
    const { api } = await acting('staff')
    const both = await make('of both')
    assert.equal((await api.patch(`/v2/users/${both.id}`, { user: { kind: 'admin' } })).status, 403)
    const fellow = await make('fellow')
    assert.equal((await api.patch(`/v2/users/${fellow.id}`, { user: { kind: 'admin' } })).status, 204)
    const open = (login: string, campus_id: number | undefined) =>
      api.post('/v2/users', {
        user: { login, email: `${login}@campus.test`, first_name: 'A', last_name: 'B', kind: 'admin', campus_id },
      })
    assert.equal((await open('elsewhere', there)).status, 403)
    assert.equal((await open('everywhere', undefined)).status, 403)
    assert.equal((await open('rightplace', here)).status, 201)
    const { browser } = await acting('staff')
    const fields = { first_name: 'A', last_name: 'B', email: 'page@campus.test', login: 'bypage', kind: 'admin' }
    assert.equal((await browser.submit('/staff/users/new', { ...fields, campus_id: String(there) })).status, 403)
    const found = await world.database.rows(
      "select login from users where login in ('elsewhere', 'everywhere', 'bypage')",
    )
    assert.deepEqual(found, [])
  })

  it('by a role of an application, one’s own or another’s', async () => {
    const [staff, administrator] = [await acting('staff'), await acting('administrator')]
    const role_ids = [await roleId('Advanced Staff')]
    for (const owner of [staff, await make('fellow')]) {
      const id = await applicationOf(owner.id)
      const refused = [
        await staff.api.patch(`/v2/apps/${id}`, { app: { role_ids } }),
        await staff.browser.submit('/security', { roles: role_ids.map(String) }, `/staff/applications/${id}`),
      ]
      for (const { status, text } of refused) assert.equal(status, 403, text)
      assert.doesNotMatch((await staff.browser.get(`/staff/applications/${id}`)).text, /name="roles/)
      const granted = await administrator.browser.submit(`/staff/applications/${id}`, {
        roles: role_ids.map(String),
        rate_per_second: '',
        rate_per_hour: '',
      })
      assert.equal(granted.status, 303, granted.text)
    }
    const { status } = await staff.api.post('/v2/apps', { app: { name: 'Nobody’s', role_ids } })
    assert.equal(status, 403)
  })

  it('by an application that is handed over to them', async () => {
    const staff = await acting('staff')
    const owner = await make('owner of a tutor’s application')
    const [row] = await world.database.rows('select id from applications where owner_id = $1', [owner.id])
    const taken = await staff.api.patch(`/v2/apps/${row?.[0]}`, { app: { owner_id: staff.id } })
    assert.equal(taken.status, 403, taken.text)
  })
})

describe('whoever is concerned', () => {
  const mailsTo = async ({ id }: Person) =>
    (
      await world.database.rows(
        "select details from mails where user_id = $1 and kind = 'account_changed' order by id",
        [id],
      )
    ).map(([details]) => JSON.parse(String(details)))

  it('is told by mail, with who did it and where', async () => {
    const staff = await acting('staff')
    const subject = await make('fellow')
    await protect(subject)
    await world.database.rows('update users set email_stop = true where id = $1', [subject.id])
    await staff.browser.submit('/security', {}, `/staff/users/${subject.id}/reset-link`)
    await staff.api.delete(`/v2/users/${subject.id}/otp_settings/remove`)
    await staff.api.patch(`/v2/users/${subject.id}`, { user: { email: `${subject.login}@other.test` } })
    const mails = await mailsTo(subject)
    assert.deepEqual(
      mails.map(({ what, actorId, to }) => [what, actorId, to]),
      [
        ['reset_link_created', staff.id, undefined],
        ['second_factor_disabled', staff.id, undefined],
        ['account_changed', staff.id, undefined],
        ['account_changed', staff.id, `${subject.login}@campus.test`],
      ],
    )
    for (const { address } of mails) assert.match(address, /^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/)
    const [last] = await world.database.kysely
      .selectFrom('mails')
      .select(['id', 'kind', 'user_id', 'details'])
      .where('user_id', '=', subject.id)
      .orderBy('id', 'desc')
      .execute()
    assert.ok(last)
    const sealer = new Sealer(Buffer.alloc(32, 7))
    const writing = { ...world.config, database: world.database, sealer, now: world.clock.now() }
    const written = await writeMail(writing, last)
    assert.equal(written?.to, `${subject.login}@campus.test`)
    assert.match(written?.text ?? '', new RegExp(`It was ${staff.login}, with the application Test caller.*, from `))
  })

  it('reads it on the page on security, however much has happened since', async () => {
    const staff = await acting('staff')
    const subject = await make('fellow')
    await staff.browser.submit('/security', {}, `/staff/users/${subject.id}/reset-link`)
    await world.director.patch(`/v2/users/${subject.id}`, { user: { email_stop: true } })
    for (let time = 0; time < 30; time += 1) {
      await world.build.record('audit_events', {
        kind: 'signed_in',
        actor_id: subject.id,
        subject_id: subject.id,
        created_at: world.clock.now(),
      })
    }
    const browser = await signedInAs(subject.login)
    const { text } = await browser.get('/security')
    const [, others = ''] = /What others did to your account(.*?)What happened lately/s.exec(text) ?? []
    const words = others.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')
    assert.match(
      words,
      new RegExp(`Link to choose another password created .*2026.* · by ${staff.login} · from (127|::)`),
    )
    assert.match(words, /Account changed: email_stop .* · with the application Test caller.* · from (127|::)/)
    assert.doesNotMatch(words, /Signed in/)
  })

  it('is spared what they did themselves, and what programs keep up to date', async () => {
    const own = await signedInOf(world)
    await own.browser.submit('/security/password', {
      current_password: PASSWORD,
      password: 'battery staple horse',
      password_again: 'battery staple horse',
    })
    await world.director.patch(`/v2/users/${own.id}`, { user: { email: `${own.login}@sync.test` } })
    assert.deepEqual(await mailsTo(own), [])
  })
})
