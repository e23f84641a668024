import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { defined } from '@campus/engine/base/defined'
import { errorsInEnglish, HttpError } from '@campus/engine/errors'
import { campus, type World } from '@campus/test/support/campus'
import { PASSWORD, type SignedIn, signedInOf } from '@campus/test/support/people'
import { type Page, visitorOf } from '@campus/test/support/visitor'
import { createPasswordReset } from '../../access/password-resets.ts'
import { verifyPassword } from '../../access/passwords.ts'
import { runOperation } from '../../cli/execute.ts'
import { applicationCommands } from '../../cli/program/applications.ts'
import { userCommands } from '../../cli/program/users.ts'
import { createApplication } from '../../oauth/applications/create.ts'
import { issueToken } from '../../oauth/tokens.ts'
import { createSealing } from '../../webhooks/sealing.ts'

type Outcome = { readonly status: number; readonly text: string }

/** The subjects of an action: a user, and an application of theirs. */
type Subject = { readonly person: SignedIn; readonly id: number; readonly uid: string }

type Values = Readonly<Record<string, string>>

/** One way to ask for an action, with its actor in the audit log. */
type Way = {
  readonly name: string
  readonly ask: (subject: Subject, values: Values) => Promise<Outcome>
  readonly by: (subject: Subject) => { actor_id: number | null; command: string | null }
}

type Action = {
  readonly name: string
  readonly kind: string
  readonly ways: readonly Way[]
  readonly good: Values
  /** Refused values and their messages, the same for command, page and API. */
  readonly bad: readonly (readonly [values: Values, words: string])[]
  /** Returns the stored result of the action, without times and random values. */
  readonly stored: (subject: Subject, values: Values) => Promise<unknown>
}

let world: World
let boss: SignedIn
before(async () => {
  world = await campus()
  boss = await signedInOf(world, { login: 'boss', kind: 'admin' })
})
after(() => world.close())

let subjects = 0

async function subjectOf({ isNative = false } = {}): Promise<Subject> {
  subjects += 1
  const person = await signedInOf(world, { login: `subject${subjects}` })
  const values = { name: 'Bus times', confidential: !isNative, redirect_uris: ['https://bus.example/back'] }
  const creation = { values, ownerId: person.id, actor: { userId: null }, now: world.clock.now() }
  const { id, uid } = await world.database.transaction((tx) => createApplication(tx, creation))
  await issueToken(world.database, world.clock, { applicationId: id, resourceOwnerId: null, scopes: ['public'] })
  await world.database.rows('delete from audit_events where subject_id = $1', [person.id])
  return { person, id, uid }
}

const api = (ask: (subject: Subject, values: Values) => Promise<{ status: number; json: unknown }>): Way => ({
  name: 'the API',
  async ask(subject, values) {
    const { status, json } = await ask(subject, values)
    return { status, text: JSON.stringify(json) ?? '' }
  },
  by: () => ({ actor_id: null, command: null }),
})

const page = (name: string, ask: (subject: Subject, values: Values) => Promise<Page>, by: Way['by']): Way => ({
  name: `the page ${name}`,
  async ask(subject, values) {
    const { status, text } = await ask(subject, values)
    return { status, text: text.replaceAll('&#39;', "'") }
  },
  by,
})

const byPerson: Way['by'] = ({ person }) => ({ actor_id: person.id, command: null })
const byBoss: Way['by'] = () => ({ actor_id: boss.id, command: null })
const byNobody: Way['by'] = () => ({ actor_id: null, command: null })

const command = (name: string, ask: (subject: Subject, values: Values) => object): Way => ({
  name: `campus ${name}`,
  async ask(subject, values) {
    try {
      return { status: 200, text: JSON.stringify(await operate(name, ask(subject, values))) }
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      return {
        status: error.status,
        text: JSON.stringify(error.errors ? errorsInEnglish(error.errors) : error.message),
      }
    }
  },
  by: () => ({ actor_id: null, command: name }),
})

/** Returns a person's stored applications, without ids, keys and times. */
const applicationsOf = async ({ person }: Subject) => {
  const { kysely } = world.database
  const rows = await kysely
    .selectFrom('applications')
    .selectAll()
    .where('owner_id', '=', person.id)
    .orderBy('id')
    .execute()
  const left = await kysely
    .selectFrom('application_roles')
    .innerJoin('applications', 'applications.id', 'application_id')
    .select('role_id')
    .where('owner_id', '=', person.id)
    .orderBy('role_id')
    .execute()
  const shown = rows.map(({ id, uid, secret_digest, previous_secret_digest, owner_id, ...rest }) => {
    const { created_at, updated_at, previous_secret_valid_until, ...columns } = rest
    const changed = { hasSecret: secret_digest !== null, hasPrevious: previous_secret_digest !== null }
    return { ...columns, ...changed, hasGrace: previous_secret_valid_until !== null }
  })
  const tokens = await world.database.rows(
    'select t.revoked_at is null from access_tokens t join applications a on a.id = application_id where owner_id = $1',
    [person.id],
  )
  return { shown, roles: left.map(({ role_id }) => role_id), tokens }
}

/** The application of a form, with all its fields. */
const FORM = { description: '', website: '', scopes: ['public'] }

const ACTIONS: readonly Action[] = [
  {
    name: 'an application is created',
    kind: 'application_created',
    ways: [
      api(({ person }, { name, uri }) =>
        world.director.post('/v2/apps', { app: { name, redirect_uris: [uri], owner_id: person.id } }),
      ),
      page(
        '/applications/new',
        ({ person }, { name = '', uri = '' }) =>
          person.browser.submit('/applications/new', { ...FORM, name, redirect_uris: uri }),
        byPerson,
      ),
      command('app create', ({ person }, { name, uri }) => ({ name, redirect_uris: [uri], owner: person.login })),
    ],
    good: { name: 'Lunch menu', uri: 'https://lunch.example/back' },
    bad: [
      [{ name: '', uri: 'https://lunch.example/back' }, "can't be blank"],
      [{ name: 'a1'.repeat(51), uri: 'https://lunch.example/back' }, 'is too long (maximum is 100 characters)'],
      [{ name: 'My app', uri: 'https://lunch.example/back' }, 'is too generic; say what the application does'],
      [{ name: 'Lunch menu', uri: 'http://lunch.example/' }, 'must be absolute https addresses'],
    ],
    stored: applicationsOf,
  },
  {
    name: 'a secret is rotated',
    kind: 'secret_rotated',
    ways: [
      page(
        '/applications/:id/secret',
        ({ person, id }) =>
          person.browser.submit(`/applications/${id}/secret`, { grace: '7' }, `/applications/${id}/secret`),
        byPerson,
      ),
      command('app rotate-secret', ({ uid }) => ({ uid })),
    ],
    good: {},
    bad: [],
    stored: applicationsOf,
  },
  {
    name: 'an application is deleted',
    kind: 'application_deleted',
    ways: [
      api(({ id }) => world.director.delete(`/v2/apps/${id}`)),
      page(
        '/applications/:id/delete',
        ({ person, id }) => person.browser.submit(`/applications/${id}/delete`, {}),
        byPerson,
      ),
      command('app delete', ({ uid }) => ({ uid })),
    ],
    good: {},
    bad: [],
    stored: applicationsOf,
  },
  {
    name: 'roles are granted',
    kind: 'roles_changed',
    ways: [
      api(({ id }, { role }) => world.director.patch(`/v2/apps/${id}`, { app: { role_ids: [Number(role)] } })),
      page(
        '/staff/applications/:id',
        ({ id }, { role = '' }) => boss.browser.submit(`/staff/applications/${id}`, { roles: [role] }),
        byBoss,
      ),
    ],
    good: { role: '19' },
    bad: [[{ role: '4242' }, 'must be ids of roles']],
    stored: applicationsOf,
  },
  {
    name: 'a password is set',
    kind: 'password_changed',
    ways: [
      api(({ person }, { password }) => world.director.patch(`/v2/users/${person.id}`, { user: { password } })),
      page(
        '/security/password',
        ({ person }, { password = '' }) =>
          person.browser.submit('/security/password', {
            current_password: PASSWORD,
            password,
            password_again: password,
          }),
        byPerson,
      ),
      command('user set-password', ({ person }, { password }) => ({ login: person.login, password })),
    ],
    good: { password: 'battery staple' },
    bad: [
      [{ password: 'hunter2' }, 'is too short (minimum is 8 characters)'],
      [{ password: 'é'.repeat(513) }, 'is too long (maximum is 1024 bytes)'],
    ],
    stored: passwordOf,
  },
  {
    name: 'a password is chosen anew',
    kind: 'password_reset',
    ways: [
      page(
        '/reset-password',
        async ({ person }, { password = '' }) => {
          const { path } = await world.database.transaction((tx) =>
            createPasswordReset(tx, world.clock.now(), { login: person.login, actor: { userId: null } }),
          )
          return visitorOf(world).submit(path, { password, password_again: password })
        },
        byNobody,
      ),
    ],
    good: { password: 'battery staple' },
    bad: [
      [{ password: 'hunter2' }, 'is too short (minimum is 8 characters)'],
      [{ password: 'é'.repeat(513) }, 'is too long (maximum is 1024 bytes)'],
    ],
    stored: passwordOf,
  },
]

async function passwordOf({ person }: Subject, { password = '' }: Values) {
  const { kysely } = world.database
  const { password_digest } = await kysely
    .selectFrom('users')
    .select('password_digest')
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
  return { isNew: await verifyPassword(password_digest, password) }
}

/** Returns the audited events of a kind about a person: who acted, and by which way. */
const auditOf = ({ person }: Subject, kind: string) =>
  world.database.kysely
    .selectFrom('audit_events')
    .select(['actor_id', 'command', 'address'])
    .where('subject_id', '=', person.id)
    .where('kind', '=', kind)
    .execute()

describe('the same action, whoever asks for it', () => {
  for (const { name, kind, ways, good, bad, stored } of ACTIONS) {
    test(`${name}: the same rows and one audit entry that says who asked`, async () => {
      const results: unknown[] = []
      for (const way of ways) {
        const subject = await subjectOf()
        const outcome = await way.ask(subject, good)
        assert.ok(outcome.status < 400, `${way.name}: ${outcome.status} ${outcome.text}`)
        results.push(await stored(subject, good))
        const [entry, ...others] = await auditOf(subject, kind)
        assert.ok(entry && others.length === 0, `${way.name} is audited once`)
        const { actor_id, command } = way.by(subject)
        assert.deepEqual({ actor_id: entry.actor_id, command: entry.command }, { actor_id, command }, way.name)
        assert.equal(entry.address !== null, command === null, `${way.name}: the address`)
      }
      for (const result of results) assert.deepEqual(result, results[0])
    })

    for (const [values, words] of bad) {
      test(`${name}: "${words}" is said, and nothing happens`, async () => {
        for (const way of ways) {
          const subject = await subjectOf()
          const before = await stored(subject, values)
          const outcome = await way.ask(subject, values)
          assert.equal(outcome.status, 422, `${way.name}: ${outcome.text}`)
          assert.ok(outcome.text.includes(words), `${way.name}: ${outcome.text}`)
          assert.deepEqual(await stored(subject, values), before, way.name)
          assert.deepEqual(await auditOf(subject, kind), [], way.name)
        }
      })
    }
  }

  test('an account is opened by the API and on the command line with the same row and an audit entry', async () => {
    const values = { first_name: 'Grace', last_name: 'Hopper', kind: 'external' }
    const opened: unknown[] = []
    for (const [login, ask] of [
      [
        'grace1',
        () => world.director.post('/v2/users', { user: { ...values, email: '1@campus.test', login: 'grace1' } }),
      ],
      ['grace2', () => operate('user create', { ...values, email: '2@campus.test', login: 'grace2' })],
    ] as const) {
      await ask()
      const row = await world.database.kysely
        .selectFrom('users')
        .selectAll()
        .where('login', '=', login)
        .executeTakeFirstOrThrow()
      const entries = await world.database.rows('select kind, command from audit_events where subject_id = $1', [
        row.id,
      ])
      assert.deepEqual(entries, [['account_created', login === 'grace2' ? 'user create' : null]])
      const { id, login: _, email, created_at, updated_at, ...rest } = row
      opened.push(rest)
    }
    assert.deepEqual(opened[0], opened[1])
  })

  test('an application without a secret has none to rotate, whoever asks', async () => {
    const subject = await subjectOf({ isNative: true })
    const words = 'This application has no secret, since it cannot keep one.'
    const { browser } = subject.person
    const own = await browser.submit('/', { grace: '7' }, `/applications/${subject.id}/secret`)
    assert.deepEqual([own.status, await refusalOf(operate('app rotate-secret', { uid: subject.uid }))], [422, words])
    assert.deepEqual(await auditOf(subject, 'secret_rotated'), [])
  })
})

const operate = (name: string, values: object) =>
  runOperation(
    { database: world.database, config: world.config, sealing: async () => createSealing() },
    defined([...applicationCommands, ...userCommands].find((command) => command.name === name)),
    values,
    () => {},
  )

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'nothing was refused',
    (error: HttpError) => errorsInEnglish(error.errors ?? {}).base?.join() ?? error.message,
  )
