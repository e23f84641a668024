import { Auth } from '@auth/core'
import FortyTwo from '@auth/core/providers/42-school'
import { program } from '../program.ts'

/** With the two settings that its documentation names, and nothing else. */
await program(async ({ uid, secret, redirectUri, allow }) => {
  const { origin, pathname } = new URL(redirectUri)
  const basePath = pathname.slice(0, -'/callback/42-school'.length)
  const config = {
    providers: [FortyTwo({ clientId: uid, clientSecret: secret })],
    secret: 'x'.repeat(32),
    trustHost: true,
    basePath,
  }
  const cookies = new Map<string, string>()
  async function visit(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = (await Auth(
      new Request(new URL(url, origin), { ...init, headers: { cookie } }),
      config,
    )) as Response
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return response
  }
  const { csrfToken } = (await (await visit(`${basePath}/csrf`)).json()) as { csrfToken: string }
  const body = new URLSearchParams({ csrfToken })
  const begin = await visit(`${basePath}/signin/42-school`, { method: 'POST', body })
  await visit(await allow(begin.headers.get('location') ?? ''))
  return ((await (await visit(`${basePath}/session`)).json()) as { user?: object }).user
})
