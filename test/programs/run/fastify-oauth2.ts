import OAuth2Module from '@fastify/oauth2'
import fastify, { type FastifyRequest } from 'fastify'
import { defaultOf, program } from '../program.ts'

const oauth2 = defaultOf(OAuth2Module)

/** With the addresses that Fastify applications of students name. */
await program(async ({ uid, secret, redirectUri, allow }) => {
  const app = fastify()
  const api = 'https://api.intra.42.fr'
  const auth = { authorizeHost: api, authorizePath: '/oauth/authorize', tokenHost: api, tokenPath: '/oauth/token' }
  await app.register(oauth2, {
    name: 'fortyTwo',
    scope: ['public'],
    credentials: { client: { id: uid, secret }, auth },
    startRedirectPath: '/login/42',
    callbackUri: redirectUri,
  })
  app.get('/callback', async (request: FastifyRequest) => {
    // biome-ignore lint/suspicious/noExplicitAny: what the plugin puts on the application
    const plugin = (app as any).fortyTwo
    const { token } = await plugin.getAccessTokenFromAuthorizationCodeFlow(request)
    const renewed = await plugin.getNewAccessTokenUsingRefreshToken(token, {})
    const authorization = `Bearer ${renewed.token.access_token}`
    const me = (await (await fetch(`${api}/v2/me`, { headers: { authorization } })).json()) as { login: string }
    return { login: me.login, renewed: renewed.token.access_token !== token.access_token }
  })
  const start = await app.inject('/login/42')
  const cookie = [start.headers['set-cookie']].flat().map((line) => String(line).split(';', 1)[0])
  const back = await allow(String(start.headers.location))
  const answer = await app.inject({ url: `/callback${back.search}`, headers: { cookie: cookie.join('; ') } })
  await app.close()
  return answer.json()
})
