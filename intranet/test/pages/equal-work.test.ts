/** Nothing is learnt from how long an answer takes: the work is the same whether or not there is somebody. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { type Work, workCounter } from '@campus/test/support/count-work'
import { mailServer } from '@campus/test/support/mail-server'
import { flowOf, type Registered } from '@campus/test/support/oauth-flow'
import { PASSWORD, personOf } from '@campus/test/support/people'
import { protectedPerson } from '@campus/test/support/second-factor'
import { matchIdentity } from '../../access/school-identities.ts'
import { verifySecondFactor } from '../../access/second-factor.ts'
import { newKey, startSession } from '../../access/sessions.ts'
import { issueCode, issueRefreshToken } from '../../oauth/token-families.ts'
import { csrfTokenOf } from '../../pages/csrf.ts'
import { SECOND_FACTOR_STEP } from '../../pages/sign-in/steps.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

const sealer = new Sealer(Buffer.alloc(32, 7))

let world: World
let mail: Awaited<ReturnType<typeof mailServer>>
let counter: ReturnType<typeof workCounter>
/** Somebody of each sort, and somebody who is not there. */
let people: Readonly<Record<string, { readonly id: number; readonly login: string; readonly email: string }>>

before(async () => {
  mail = await mailServer()
  world = await campus({ env: { CAMPUS_MAIL_URL: mail.url, CAMPUS_MAIL_FROM: 'Campus <campus@school.test>' } })
  counter = workCounter(world.database)
  const person = async (values = {}) => {
    const { id, login } = await personOf(world, values)
    return { id, login, email: `${login}@campus.test` }
  }
  people = {
    existing: await person(),
    'not existing': { id: 0, login: 'nobody', email: 'nobody@campus.test' },
    closed: await person({ closed_at: world.clock.now() }),
    'without a password': await person({ password_digest: null }),
    'without mail': await person({ email_stop: true }),
    'of the staff': await person({ kind: 'admin' }),
  }
  // The first statement of a text is sent with its preparation.
  const known = newKey()
  for (const { login } of Object.values(people)) await signIn(login, known)
})
after(async () => {
  counter.stop()
  await world.close()
  await mail.close()
})

/** A form that a browser sends. */
async function send(
  path: string,
  fields: Readonly<Record<string, string>>,
  cookies: Readonly<Record<string, string>> = {},
) {
  const key = cookies['__Host-campus'] ?? newKey()
  const jar = Object.entries({ ...cookies, '__Host-campus': key })
  const { statusCode, headers } = await world.app.inject({
    method: 'POST',
    url: path,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'text/html',
      origin: new URL(world.url).origin,
      cookie: jar.map(([name, value]) => `${name}=${value}`).join('; '),
    },
    payload: new URLSearchParams({ csrf_token: csrfTokenOf(key), ...fields }).toString(),
  })
  return { status: statusCode, location: headers.location }
}

const signIn = (login: string, browserKey?: string) =>
  send(
    '/sign-in',
    { login, password: 'not the password' },
    browserKey === undefined ? {} : { '__Host-campus-browser': browserKey },
  )

/** Has each case send the same statements in the same order, begin the same hashes, and be answered alike. */
async function assertEqual(cases: Readonly<Record<string, () => PromiseLike<unknown>>>, hashes: number): Promise<void> {
  const done: [string, Work & { readonly answer: unknown }][] = []
  for (const [name, run] of Object.entries(cases)) {
    let answer: unknown
    const work = await counter.count(async () => {
      answer = await run()
    })
    done.push([name, { ...work, answer }])
  }
  const [[, expected]] = done as [(typeof done)[number]]
  assert.ok(expected.statements.length > 0, 'nothing was counted')
  assert.equal(expected.hashes, hashes)
  for (const [name, work] of done) assert.deepEqual(work, expected, name)
}

const forEverybody = (run: (person: (typeof people)[string]) => PromiseLike<unknown>) =>
  Object.fromEntries(Object.entries(people).map(([name, person]) => [name, () => run(person)]))

const refusal = (work: PromiseLike<unknown>) =>
  work.then(
    () => assert.fail('nothing was refused'),
    ({ status }: { readonly status?: number }) => status,
  )

describe('the work is the same, whether or not there is such a person', () => {
  it('for a wrong password', () =>
    assertEqual(
      forEverybody(({ login }) => signIn(login)),
      1,
    ))

  it('for a wrong password in a browser in which somebody has signed in', async () => {
    const key = newKey()
    await assertEqual(
      forEverybody(({ login }) => signIn(login, key)),
      1,
    )
  })

  it('for an attempt too many, which is recorded', async () => {
    await world.database.rows('update attempts set count = 10 where count < 10')
    await assertEqual(
      forEverybody(({ login }) => signIn(login)),
      0,
    )
    await assertEqual(
      forEverybody(({ login }) => signIn(login)),
      0,
    )
    await world.database.rows('delete from attempts')
  })

  for (const name of ['login', 'email'] as const) {
    it(`for a forgotten password, asked for by ${name}`, async () => {
      const ask = forEverybody((person) => send('/forgot-password', { who: person[name].toUpperCase() }))
      // The fourth within the hour is passed over.
      for (let time = 0; time < 4; time += 1) await assertEqual(ask, 0)
      await world.database.rows('delete from attempts')
    })
  }

  it('for a second factor that is wrong, was removed, or has no recovery codes left', async () => {
    const begin = async () => {
      const { id } = await protectedPerson(world, sealer)
      const awaiting = { step: SECOND_FACTOR_STEP, passed: [], returnTo: '/' }
      const browser = { address: '203.0.113.9', userAgent: undefined }
      const key = await world.database.transaction((tx) => startSession(tx, world.clock.now(), id, browser, awaiting))
      return { id, key }
    }
    const [inForce, removed, withoutCodes] = [await begin(), await begin(), await begin()]
    await world.database.rows('delete from second_factors where user_id = $1', [removed.id])
    await world.database.rows('delete from recovery_codes where user_id = $1', [withoutCodes.id])
    for (const code of ['000000', 'ABCD-EFGH-IJKL-MNOP']) {
      const cases = Object.entries({ inForce, removed, withoutCodes }).map(
        ([name, { key }]) => [name, () => send('/sign-in/code', { code }, { '__Host-campus': key })] as const,
      )
      await assertEqual(Object.fromEntries(cases), 0)
    }
    const now = world.clock.now()
    const prove = (userId: number) =>
      refusal(
        world.database.transaction((tx) =>
          verifySecondFactor(tx, { sealer, userId, now, code: '000000', actor: { userId } }),
        ),
      )
    await assertEqual({ known: () => prove(inForce.id), nobody: () => prove(0) }, 0)
  })

  it('for somebody of the school’s own provider who is refused', async () => {
    const matched = await personOf(world)
    const { issuer, now, address } = { issuer: 'https://school.test', now: world.clock.now(), address: '203.0.113.9' }
    const match = (subject: string, email: string | undefined, isEmailVerified = true) =>
      world.database.transaction((tx) => matchIdentity(tx, now, { issuer, subject, email, isEmailVerified }, address))
    await match('first', `${matched.login}@campus.test`)
    const late = await personOf(world)
    await match('late', `${late.login}@campus.test`)
    await world.database.rows('update users set closed_at = now() where id = $1', [late.id])
    await assertEqual(
      {
        'nobody has the address': () => refusal(match('second', 'nobody@campus.test')),
        'somebody else was matched': () => refusal(match('second', `${matched.login}@campus.test`)),
        'the account is closed': () => refusal(match('second', `${people.closed?.login}@campus.test`)),
        'the account was matched and is closed': () => refusal(match('late', undefined)),
        'the address is not verified': () => refusal(match('second', `${people.existing?.login}@campus.test`, false)),
        'the provider gives no address': () => refusal(match('second', undefined)),
      },
      0,
    )
  })

  it('for a link that chooses a password, or opens the first account', async () => {
    const { id } = await personOf(world)
    const now = world.clock.now()
    const make = async (userId: number, token: string, table: string) => {
      const { createHash } = await import('node:crypto')
      const digest = createHash('sha256').update(token).digest()
      const owner = table === 'password_resets' ? { user_id: userId } : {}
      await world.database.kysely
        .insertInto(table as 'password_resets')
        .values({ digest, created_at: now, expires_at: new Date(now.getTime() + 60_000), ...owner } as never)
        .execute()
    }
    await make(id, 'closed', 'password_resets')
    await world.database.rows('update users set closed_at = now() where id = $1', [id])
    await make(0, 'welcome', 'first_administrator_links')
    const open = (url: string) =>
      world.app.inject({ url, headers: { accept: 'text/html' } }).then((page) => page.statusCode)
    await open('/reset-password?token=first')
    for (const [path, token] of [
      ['/reset-password', 'closed'],
      ['/welcome', 'welcome'],
    ]) {
      const ask = (given: string) => () => open(`${path}?token=${given}`)
      await assertEqual({ unknown: ask('unknown'), 'of no use': ask(token as string), none: ask('') }, 0)
    }
  })

  it('for an account that is refused, whatever of it is taken', async () => {
    const caller = await world.caller({ roles: ['Advanced Tutor'] })
    const create = (values: object) => () =>
      world.app
        .inject({
          method: 'POST',
          url: '/v2/users',
          headers: { authorization: `Bearer ${caller.token}` },
          payload: {
            user: {
              first_name: 'A',
              last_name: 'B',
              kind: 'student',
              password: PASSWORD,
              campus_id: 999_999,
              ...values,
            },
          },
        })
        .then(({ statusCode }) => statusCode)
    const free = { login: 'freelogin', email: 'free@campus.test' }
    await create(free)()
    await assertEqual(
      {
        free: create(free),
        ...Object.fromEntries(
          Object.entries(people).flatMap(([name, { login, email }]) => [
            [`login of ${name}`, create({ ...free, login })],
            [`address of ${name}`, create({ ...free, email })],
          ]),
        ),
      },
      0,
    )
  })
})

describe('the work is the same, whether or not there is such an application', () => {
  let known: Registered
  let names: readonly string[]
  before(async () => {
    const flow = flowOf(world)
    known = await flow.application()
    const [suspended, open, former] = [
      await flow.application(),
      await flow.application({ confidential: false }),
      await flow.application(),
    ]
    await world.database.rows('update applications set suspended_at = now() where id = $1', [suspended.id])
    await world.database.rows(
      `update applications set previous_secret_digest = secret_digest, previous_secret_valid_until = now() where id = $1`,
      [former.id],
    )
    names = [known.uid, suspended.uid, open.uid, former.uid, 'f'.repeat(64), 'nobody']
  })

  const post = (
    url: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ) =>
    world.app
      .inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        payload: new URLSearchParams(fields).toString(),
      })
      .then(({ statusCode, body }) => ({ statusCode, body: statusCode < 500 && body }))

  const WRONG = 'e'.repeat(64)
  for (const [name, path, fields] of [
    ['client_credentials', '/oauth/token', { grant_type: 'client_credentials' }],
    ['a code', '/oauth/token', { grant_type: 'authorization_code', code: WRONG }],
    ['a refresh token', '/oauth/token', { grant_type: 'refresh_token', refresh_token: WRONG }],
    ['a token to revoke', '/oauth/revoke', { token: WRONG }],
  ] as const) {
    it(`for ${name} with a wrong secret`, async () => {
      await post(path, { ...fields, client_id: known.uid, client_secret: WRONG })
      const inBody = names.map((uid) => [uid, () => post(path, { ...fields, client_id: uid, client_secret: WRONG })])
      await assertEqual(Object.fromEntries(inBody), 0)
      const basic = (uid: string) => `Basic ${Buffer.from(`${uid}:${WRONG}`).toString('base64')}`
      const inHeader = names.map((uid) => [uid, () => post(path, fields, { authorization: basic(uid) })])
      await assertEqual(Object.fromEntries(inHeader), 0)
    })
  }

  it('for a code or refresh token that is unknown, expired, somebody else’s or of a closed account', async () => {
    const other = await flowOf(world).application()
    const give = (application: Registered, userId: number, at: Date) =>
      world.database.transaction(async (tx) => {
        const binding = { resource: null, redirectUri: null, codeChallenge: null, nonce: null, signIn: undefined }
        const family = { applicationId: application.id, userId, scopes: ['public'], ...binding }
        const code = await issueCode(tx, at, family)
        const [row] = await tx.rows('select max(id) from token_families')
        return { code, refresh: await issueRefreshToken(tx, at, Number(row?.[0])) }
      })
    const [now, long] = [world.clock.now(), new Date(world.clock.now().getTime() - 90 * 86_400_000)]
    const [existing, closed] = [people.existing?.id ?? 0, people.closed?.id ?? 0]
    const given = {
      expired: await give(known, existing, long),
      'of another application': await give(other, existing, now),
      'of a closed account': await give(known, closed, now),
      unknown: { code: WRONG, refresh: WRONG },
    }
    const credentials = { client_id: known.uid, client_secret: known.secret ?? '' }
    const cases = (fields: (of: { code: string; refresh: string }) => Readonly<Record<string, string>>) =>
      Object.fromEntries(
        Object.entries(given).map(([name, of]) => [
          name,
          () => post('/oauth/token', { ...credentials, ...fields(of) }),
        ]),
      )
    await assertEqual(
      cases(({ code }) => ({ grant_type: 'authorization_code', code })),
      0,
    )
    await assertEqual(
      cases(({ refresh }) => ({ grant_type: 'refresh_token', refresh_token: refresh })),
      0,
    )
  })

  it('for a token to revoke that is unknown, ended or expired', async () => {
    const credentials = { client_id: known.uid, client_secret: known.secret ?? '' }
    const grant = async () =>
      JSON.parse(String((await post('/oauth/token', { ...credentials, grant_type: 'client_credentials' })).body))
        .access_token
    const [ended, expired, live] = [await grant(), await grant(), await grant()]
    const revoke = (token: string) => () => post('/oauth/revoke', { ...credentials, token })
    await revoke(ended)()
    world.clock.advance(1)
    await assertEqual({ unknown: revoke(WRONG), ended: revoke(ended), expired: revoke(expired), live: revoke(live) }, 0)
  })
})
