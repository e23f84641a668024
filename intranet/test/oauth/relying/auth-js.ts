/** Runs Auth.js and next-auth without a framework, with a browser that stores cookies. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Auth } from '@auth/core'
import NextAuthModule from 'next-auth'
import { fetch } from 'undici'

/** Node imports the default export of a CommonJS package as a member. */
// biome-ignore lint/suspicious/noExplicitAny: their types are Next.js'
const NextAuth = ((module: any) => module.default ?? module)(NextAuthModule)

const LOGGER = { error: () => {}, warn: () => {} }
const SECRET = 'x'.repeat(32)

type Signing = {
  /** Provider as the library creates it. */
  readonly provider: object
  readonly id: string
  readonly origin: string
  /** Requests the authorization URL, and returns the redirect back to the application. */
  readonly allow: (address: string) => Promise<string>
}

type Answer = Pick<Response, 'json' | 'headers'>
type Init = { readonly method?: string; readonly body?: URLSearchParams }
type Visit = (path: string, init?: Init) => Promise<Answer>

/** Returns a browser with cookies. `send` receives the URL and the `Cookie` header. */
function visiting(origin: string, send: (url: URL, init: Init & { headers: { cookie: string } }) => Promise<Answer>) {
  const cookies = new Map<string, string>()
  return async (path: string, init: Init = {}): Promise<Answer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await send(new URL(path, origin), { ...init, headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return response
  }
}

/** Runs the whole flow. Returns the user of the resulting session. */
async function signIn(visit: Visit, { id, allow }: Signing, base: string): Promise<object | undefined> {
  const { csrfToken } = (await (await visit(`${base}/csrf`)).json()) as { csrfToken: string }
  const begin = await visit(`${base}/signin/${id}`, { method: 'POST', body: new URLSearchParams({ csrfToken }) })
  await visit(await allow(begin.headers.get('location') ?? ''))
  return ((await (await visit(`${base}/session`)).json()) as { user?: object } | null)?.user
}

/** Signs in with Auth.js. Returns the user of the resulting session. */
export function signInWithAuthJs(signing: Signing): Promise<object | undefined> {
  const { provider, origin } = signing
  const config = { providers: [provider], secret: SECRET, trustHost: true, basePath: '/auth', logger: LOGGER }
  const visit = visiting(origin, async (url, init) => (await Auth(new Request(url, init), config as never)) as Response)
  return signIn(visit, signing, '/auth')
}

/** Signs in with next-auth. `server` provides the parts of a Next.js request that next-auth reads. */
export async function signInWithNextAuth(server: Server, signing: Signing): Promise<object | undefined> {
  const { provider, origin } = signing
  const options = { providers: [provider], secret: SECRET, logger: LOGGER }
  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '', origin)
    const pairs = (request.headers.cookie ?? '').split('; ').map((pair) => pair.split('=', 2))
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    Object.assign(request, {
      query: { ...Object.fromEntries(searchParams), nextauth: pathname.split('/').slice(3) },
      cookies: Object.fromEntries(pairs.map(([name, value = '']) => [name, decodeURIComponent(value)])),
      body: Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString())),
    })
    Object.assign(response, {
      status: (code: number) => Object.assign(response, { statusCode: code }),
      json: (value: object) => response.end(JSON.stringify(value)),
      send: (value: unknown) => response.end(typeof value === 'string' ? value : JSON.stringify(value)),
    })
    await NextAuth(request, response, options)
  })
  process.env.NEXTAUTH_URL = origin
  try {
    const visit = visiting(origin, (url, init) => fetch(url, { ...init, redirect: 'manual' }) as never)
    return await signIn(visit, signing, '/api/auth')
  } finally {
    delete process.env.NEXTAUTH_URL
  }
}
