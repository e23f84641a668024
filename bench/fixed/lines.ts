import type { Request } from 'autocannon'

/** A request that is always answered the same, whatever the database holds. */
export type FixedLine = {
  readonly name: string
  readonly request: Request
  /** Expected status of every response. */
  readonly status: number
  /** The ratio to reach. */
  readonly aim: number
}

export type Callers = {
  /** Token of an application without roles and without rate limits. */
  readonly token: string
  /** Token of an application whose hourly rate is used up. */
  readonly spentToken: string
  readonly credentials: { readonly uid: string; readonly secret: string }
}

/** Path at which plain Fastify writes a row before it answers. */
export const TOKEN_PATH = '/oauth/token'

const get = (path: string, token?: string): Request => ({
  path,
  headers: token ? { authorization: `Bearer ${token}` } : {},
})

/** Pages whose bytes are sent from memory. */
export const pageLines = (paths: readonly string[], { token }: Callers): FixedLine[] =>
  paths.map((path) => ({ name: path, request: get(path, token), status: 200, aim: 0.5 }))

/** The fixed costs of a request: what is left of it when nothing is asked of the database, or one row is written. */
export function fixedLines({ token, spentToken, credentials: { uid, secret } }: Callers): FixedLine[] {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: uid, client_secret: secret })
  return [
    { name: '401, no token', request: get('/v2/users'), status: 401, aim: 0.5 },
    { name: '401, unknown token', request: get('/v2/cursus', '0'.repeat(64)), status: 401, aim: 0.5 },
    { name: '403, a role is missing', request: get('/v2/endpoints', token), status: 403, aim: 0.5 },
    { name: '404, no such path', request: get('/v2/nothing', token), status: 404, aim: 0.5 },
    { name: '429, over the rate', request: get('/v2/campus', spentToken), status: 429, aim: 0.5 },
    { name: 'token info', request: get('/oauth/token/info', token), status: 200, aim: 0.5 },
    { name: 'health', request: get('/health'), status: 200, aim: 0.5 },
    {
      name: 'token, beside one insert',
      request: {
        method: 'POST',
        path: TOKEN_PATH,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: form.toString(),
      },
      status: 200,
      aim: 0.8,
    },
  ]
}
