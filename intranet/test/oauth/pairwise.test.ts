/** An application with pairwise subjects cannot learn who a person is at another application. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import {
  answered,
  type Flow,
  flowOf,
  pkce,
  REDIRECT_URI,
  type Registered,
  type Tokens,
} from '@campus/test/support/oauth-flow'
import type { Visitor } from '@campus/test/support/visitor'
import { decodeJwt } from 'jose'

const OTHER_HOST = 'https://other.example/callback'
const LOOPBACK = 'http://127.0.0.1/callback'

let world: World
let flow: Flow
let person: Visitor & { id: number; login: string }
before(async () => {
  world = await campus({})
  flow = flowOf(world)
  person = await flow.person({ login: 'wilhelmina' })
})
after(() => world?.close())

async function change(app: Registered, values: object): Promise<void> {
  const response = await world.director.patch(`/v2/apps/${app.id}`, { app: values })
  assert.equal(response.status, 204, response.text)
}

async function pairwise(redirectUri = REDIRECT_URI, scopes = ['openid', 'email', 'groups']): Promise<Registered> {
  const app = await flow.application({ scopes, redirect_uris: [redirectUri] })
  await change(app, { subject_type: 'pairwise' })
  return app
}

/** The whole flow at a redirect address. */
async function signIn(app: Registered, redirectUri = REDIRECT_URI, scope = 'openid'): Promise<Tokens> {
  const { verifier, parameters } = pkce()
  const code = await flow.code(person, app, { scope, prompt: 'consent', redirect_uri: redirectUri, ...parameters })
  const grant = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri }
  const response = await flow.exchange(app, grant)
  assert.equal(response.status, 200, response.text)
  return response.json
}

async function refresh(app: Registered, { refresh_token }: Tokens): Promise<Tokens> {
  const response = await flow.exchange(app, { grant_type: 'refresh_token', refresh_token })
  assert.equal(response.status, 200, response.text)
  return response.json
}

const subjectOf = ({ id_token = '' }: Tokens) => decodeJwt(id_token).sub
const ask = async (path: string, { access_token }: Tokens) =>
  (await world.anonymous.get(path, { authorization: `Bearer ${access_token}` })).json

describe('a pairwise subject', () => {
  it('stays that of the sign-in when the application changes its redirect addresses or its kind of subject', async () => {
    const app = await pairwise()
    let tokens = await signIn(app)
    const subject = subjectOf(tokens)
    for (const values of [{ redirect_uris: [OTHER_HOST] }, { subject_type: 'public' }]) {
      await change(app, values)
      assert.equal((await ask('/oauth/userinfo', tokens)).sub, subject)
      tokens = await refresh(app, tokens)
      assert.equal(subjectOf(tokens), subject)
      assert.equal((await ask('/oauth/userinfo', tokens)).sub, subject)
      assert.equal((await ask('/oauth/token/info', tokens)).resource_owner_id, null)
    }
    const elsewhere = await pairwise(OTHER_HOST)
    assert.notEqual(subjectOf(await signIn(elsewhere, OTHER_HOST)), subject)
  })

  it('does not become another one for an application that used public subjects', async () => {
    const app = await flow.application({ scopes: ['openid'] })
    const tokens = await signIn(app)
    await change(app, { redirect_uris: [OTHER_HOST], subject_type: 'pairwise' })
    assert.equal(subjectOf(await refresh(app, tokens)), String(person.id))
  })

  it('follows the host of a new sign-in', async () => {
    const [app, elsewhere] = [await pairwise(), await pairwise(OTHER_HOST)]
    const first = subjectOf(await signIn(app))
    await change(app, { redirect_uris: [OTHER_HOST] })
    const second = await signIn(app, OTHER_HOST)
    assert.notEqual(subjectOf(second), first)
    assert.equal(subjectOf(second), subjectOf(await signIn(elsewhere, OTHER_HOST)))
    assert.ok(
      answered(
        await flow.ask(person, app, {
          ...{ scope: 'openid', redirect_uri: OTHER_HOST, prompt: 'none' },
          id_token_hint: second.id_token,
        }),
      ).get('code'),
    )
  })

  it('differs between programs on the person’s own machine', async () => {
    const [one, other] = [await pairwise(LOOPBACK), await pairwise(LOOPBACK)]
    const at = (port: number) => `http://127.0.0.1:${port}/callback`
    const subject = subjectOf(await signIn(one, at(4001)))
    assert.equal(subjectOf(await signIn(one, at(4002))), subject)
    assert.notEqual(subjectOf(await signIn(other, at(4001))), subject)
  })

  it('is all that the application learns without scopes of the API', async () => {
    const app = await pairwise()
    const tokens = await signIn(app)
    const info = await ask('/oauth/token/info', tokens)
    const claims = [await ask('/oauth/userinfo', tokens), decodeJwt(tokens.id_token ?? '')]
    const text = JSON.stringify([info, ...claims])
    assert.equal(info.resource_owner_id, null)
    assert.ok(!text.includes(person.login))
    for (const value of claims.flatMap(Object.values)) assert.notEqual(String(value), String(person.id))
    const sid = (of: Tokens) => decodeJwt(of.id_token ?? '').sid
    assert.notEqual(sid(await signIn(await pairwise())), sid(tokens), 'applications share no id of the session')
  })

  it('leaves token info unchanged for a token with a scope of the API', async () => {
    const tokens = await signIn(await pairwise(REDIRECT_URI, ['public', 'openid']), REDIRECT_URI, 'openid public')
    assert.equal((await ask('/oauth/token/info', tokens)).resource_owner_id, person.id)
  })

  it('hides the login on the page where the owner of the application ends sessions', async () => {
    const owner = await flow.person()
    const app = await pairwise()
    await change(app, { owner_id: owner.id })
    await signIn(app)
    const page = await owner.get(`/applications/${app.id}/sessions`)
    assert.equal(page.status, 200)
    assert.match(page.text, /Pairwise subject/)
    assert.ok(!page.text.includes(person.login))
  })
})
