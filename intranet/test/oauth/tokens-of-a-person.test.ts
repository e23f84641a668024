/** More applications do not get one person more tokens. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { defined } from '@campus/engine/base/defined'
import { campus, type World } from '@campus/test/support/campus'
import type { Response } from '@campus/test/support/client'
import { answered, type Flow, flowOf, type Registered } from '@campus/test/support/oauth-flow'
import { csrfTokenIn } from '@campus/test/support/visitor'

const APPLICATIONS = 3
/** Requests of one application that its own limit permits at once. */
const OF_APPLICATION = 100
/** Tokens and codes that one application gets in an hour beyond the limit of its person. */
const SHARE = 30
const MOST = { ownTokens: OF_APPLICATION + 60, tokensForUser: 120, codes: 6 }

let world: World
let flow: Flow
before(async () => {
  world = await campus({
    env: { CAMPUS_TRUSTED_PROXIES: '127.0.0.1,::1', CAMPUS_TOKENS_PER_SECOND: '1', CAMPUS_TOKENS_BURST: '100' },
  })
  flow = flowOf(world)
})
after(() => world.close())

let addresses = 0
function post(fields: Readonly<Record<string, string>>): Promise<Response> {
  addresses += 1
  return world.anonymous.post('/oauth/token', new URLSearchParams(fields).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    'x-forwarded-for': `192.0.${addresses >> 8}.${addresses & 255}`,
  })
}

const credentials = ({ uid, secret }: Registered) => ({ client_id: uid, client_secret: defined(secret) })
const ownToken = (app: Registered) => post({ grant_type: 'client_credentials', ...credentials(app) })

async function applicationOf(ownerId: number): Promise<Registered> {
  const app = await flow.application()
  await world.database.rows('update applications set owner_id = $1 where id = $2', [ownerId, app.id])
  return app
}

const countOf = (answers: readonly { readonly status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length

function assertRefused(answers: readonly Response[]): void {
  for (const { status, headers, json } of answers.filter(({ status }) => status !== 200)) {
    assert.deepEqual([status, json.error], [429, 'too_many_requests'])
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  }
}

test('the applications of one owner share a limit of tokens, and each keeps a share of its own', async () => {
  const person = await flow.person()
  const { id } = person
  const apps = await Promise.all(Array.from({ length: APPLICATIONS }, () => applicationOf(id)))
  // Sends all at once, so that they count in one minute.
  const answers = await Promise.all(
    apps.map((app) => Promise.all(Array.from({ length: OF_APPLICATION }, () => ownToken(app)))),
  )
  const granted = countOf(answers.flat(), 200)
  assert.ok(granted >= MOST.ownTokens && granted <= MOST.ownTokens + APPLICATIONS * SHARE, String(granted))
  for (const received of answers) {
    assertRefused(received)
    assert.ok(countOf(received, 200) >= SHARE)
  }

  const application = String(defined(apps[0]).id)
  const csrf_token = csrfTokenIn(await person.get('/apidoc/console'))
  const fields = { csrf_token, application, as: 'application' }
  const pages = await Promise.all(Array.from({ length: SHARE + 1 }, () => person.post('/apidoc/console/token', fields)))
  assert.ok(countOf(pages, 429) > 0)
  assert.equal(countOf(pages, 200) + countOf(pages, 429), pages.length)
  assert.equal((await ownToken(await applicationOf(id))).status, 200)
  assert.equal((await ownToken(await applicationOf((await flow.person()).id))).status, 200)
  assert.equal((await ownToken(await flow.application())).status, 200)
})

test('the applications that act for one user share a limit of refreshes, and no refresh token is lost', async () => {
  const person = await flow.person()
  const apps = await Promise.all(Array.from({ length: APPLICATIONS }, () => flow.application()))
  const grants: { readonly app: Registered; token: string }[] = []
  for (const app of apps) grants.push({ app, token: (await flow.tokens(person, app)).refresh_token })
  const refresh = (app: Registered, token: string) =>
    post({ grant_type: 'refresh_token', refresh_token: token, ...credentials(app) })
  const answers = await Promise.all(
    grants.map(async (grant) => {
      const received: Response[] = []
      for (let at = 1; at < OF_APPLICATION; at += 1) {
        const answer = await refresh(grant.app, grant.token)
        received.push(answer)
        if (answer.status === 200) grant.token = answer.json.refresh_token
      }
      return received
    }),
  )
  // An application that is served early uses less of its share. The exchange of each code has been counted, too.
  const granted = countOf(answers.flat(), 200)
  const least = MOST.tokensForUser - APPLICATIONS
  assert.ok(granted >= least && granted <= least + APPLICATIONS * SHARE, String(granted))
  for (const received of answers) assertRefused(received)

  const other = await flow.person()
  const app = await flow.application()
  assert.equal((await refresh(app, (await flow.tokens(other, app)).refresh_token)).status, 200)
  assert.equal((await ownToken(app)).status, 200)
})

test('codes for one user are limited across applications, and the application gets temporarily_unavailable', async () => {
  const person = await flow.person()
  const [app, other] = [await flow.application(), await flow.application()]
  await flow.code(person, app)
  const answers: URLSearchParams[] = []
  for (let at = 0; at < 2 * SHARE; at += 1) answers.push(answered(await flow.ask(person, app, { state: 'kept' })))
  const errors = answers.filter((answer) => !answer.has('code'))
  assert.equal(answers.length - errors.length, MOST.codes - 1 + SHARE)
  for (const error of errors) {
    assert.deepEqual([error.get('error'), error.get('state')], ['temporarily_unavailable', 'kept'])
    assert.match(error.get('error_description') ?? '', /Try again in \d+ seconds?\.$/)
  }
  await flow.code(person, other)
  await flow.code(await flow.person(), app)
})
