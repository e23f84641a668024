import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { NamedValues } from '@campus/intranet/oauth/applications/by-operators'
import { createApplication } from './application.ts'
import type { World } from './campus.ts'
import type { Response } from './client.ts'
import { PASSWORD, signedInOf } from './people.ts'
import type { Page, Visitor } from './visitor.ts'

export const REDIRECT_URI = 'https://app.example/callback'

export type Registered = { readonly id: number; readonly uid: string; readonly secret: string | null }

type Parameters = Readonly<Record<string, string | undefined>>

/** Creates users and applications, and runs the authorization code flow between them. */
export type Flow = {
  /** Creates a user and signs them in. */
  person(values?: Readonly<Record<string, unknown>>): Promise<Visitor & { id: number; login: string }>
  application(values?: Partial<NamedValues> & { confidential?: boolean }): Promise<Registered>
  /** Sends an authorization request. Returns the page, without a decision. */
  ask(visitor: Visitor, app: Registered, parameters?: Parameters): Promise<Page>
  /** Sends an authorization request and allows it. Returns the code. */
  code(visitor: Visitor, app: Registered, parameters?: Parameters): Promise<string>
  /** Sends these parameters to the token endpoint with the credentials of the application. */
  exchange(app: Registered, parameters: Parameters): Promise<Response>
  /** Runs the whole flow. Returns the body of the token response. */
  tokens(visitor: Visitor, app: Registered, parameters?: Parameters): Promise<Tokens>
}

export type Tokens = {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
  readonly id_token?: string
}

export const PASSWORD_OF_ALL = PASSWORD

/** Returns a PKCE verifier (RFC 7636), and its parameters for the authorization request. */
export function pkce(): { verifier: string; parameters: Parameters } {
  const verifier = randomBytes(32).toString('base64url')
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  return { verifier, parameters: { code_challenge, code_challenge_method: 'S256' } }
}

/** Returns the query parameters of a redirect. */
export function answered(page: Page): URLSearchParams {
  assert.ok(page.location, `nothing was answered: ${page.status} ${page.text}`)
  return new URL(page.location).searchParams
}

export function flowOf(world: World): Flow {
  let count = 0
  const pathOf = (app: Registered, parameters: Parameters) =>
    `/oauth/authorize?${query({ client_id: app.uid, redirect_uri: REDIRECT_URI, response_type: 'code', ...parameters })}`

  const flow: Flow = {
    async person(values = {}) {
      const { id, login, browser } = await signedInOf(world, { login: `flow${++count}`, ...values })
      return { ...browser, id, login }
    },
    async application(values = {}) {
      const plenty = { rate_per_second: 1_000_000, rate_per_hour: 1_000_000 }
      const defaults = { name: `Flow ${++count}`, redirect_uris: [REDIRECT_URI], ...plenty }
      return world.database.transaction((tx) => createApplication(tx, { ...defaults, ...values }))
    },
    ask: (visitor, app, parameters = {}) => visitor.get(pathOf(app, parameters)),
    async code(visitor, app, parameters = {}) {
      const page = await visitor.submit(pathOf(app, parameters), { decision: 'allow' })
      const code = answered(page).get('code')
      assert.ok(code, page.location)
      return code
    },
    exchange: (app, parameters) => {
      const credentials = { client_id: app.uid, client_secret: app.secret ?? undefined }
      const redirect = parameters.grant_type === 'authorization_code' ? { redirect_uri: REDIRECT_URI } : {}
      return world.anonymous.post('/oauth/token', query({ ...credentials, ...redirect, ...parameters }), {
        'content-type': 'application/x-www-form-urlencoded',
      })
    },
    async tokens(visitor, app, parameters = {}) {
      const { verifier, parameters: challenge } = pkce()
      const code = await flow.code(visitor, app, { prompt: 'consent', ...challenge, ...parameters })
      const grant = { grant_type: 'authorization_code', code, code_verifier: verifier }
      const response = await flow.exchange(app, grant)
      assert.equal(response.status, 200, response.text)
      return response.json
    },
  }
  return flow
}

/** Omits undefined parameters. */
function query(parameters: Parameters): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return new URLSearchParams(given).toString()
}
