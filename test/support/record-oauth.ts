import type { Example, Examples } from '@campus/reference/examples'
import { createApplication } from './application.ts'
import type { World } from './campus.ts'
import { clientOf } from './client.ts'

type Ask = (question: {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly by: ReturnType<typeof clientOf>
}) => Promise<Example>

/** Records how a token is fetched, looked at and ended, and what the service says of itself. */
export async function recordOAuth({ world, ask }: { readonly world: World; readonly ask: Ask }): Promise<Examples> {
  const { uid, secret } = await world.database.transaction((tx) => createApplication(tx, { name: 'Reader' }))
  const credentials = { client_id: uid, client_secret: secret }
  const body = { grant_type: 'client_credentials', ...credentials, scope: 'public' }
  const by = world.anonymous
  const granted = await ask({ method: 'POST', path: '/oauth/token', body, by })
  const { access_token: token } = granted.answer as { access_token: string }
  const bearer = clientOf({ url: world.url, agent: world.agent }, token)
  const ofPerson = await world.caller({ user: 2, scopes: ['openid', 'profile', 'email', 'groups'] })
  const refused = { ...body, client_secret: 'not-it' }
  const recorded = {
    createToken: [granted, await ask({ method: 'POST', path: '/oauth/token', body: refused, by })],
    getTokenInfo: [await ask({ method: 'GET', path: '/oauth/token/info', by: bearer })],
    revokeToken: [await ask({ method: 'POST', path: '/oauth/revoke', body: { token, ...credentials }, by })],
    getServerMetadata: [await ask({ method: 'GET', path: '/.well-known/oauth-authorization-server', by })],
    getOpenIdConfiguration: [await ask({ method: 'GET', path: '/.well-known/openid-configuration', by })],
    getSigningKeys: [await ask({ method: 'GET', path: '/oauth/jwks', by })],
    getUserInfo: [await ask({ method: 'GET', path: '/oauth/userinfo', by: ofPerson })],
    postUserInfo: [await ask({ method: 'POST', path: '/oauth/userinfo', by: ofPerson })],
    getResourceMetadata: [await ask({ method: 'GET', path: '/.well-known/oauth-protected-resource', by })],
    getAssistantMetadata: [await ask({ method: 'GET', path: '/.well-known/oauth-protected-resource/mcp', by })],
    getHealth: [await ask({ method: 'GET', path: '/health', by })],
  }
  const drawn = withheld(JSON.stringify(recorded), { token, uid, secret })
  return JSON.parse(drawn.replace(/"(kid|n|x|y)":"[\w-]{20,}"/g, '"$1":"…"'))
}

/** Replaces random values by their names. */
const withheld = (text: string, { token, uid, secret }: Readonly<Record<'token' | 'uid' | 'secret', string>>) =>
  text.replaceAll(token, '<access_token>').replaceAll(uid, '<client_id>').replaceAll(secret, '<client_secret>')
