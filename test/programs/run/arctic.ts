import * as arctic from 'arctic'
import { program } from '../program.ts'

await program(async ({ uid, secret, redirectUri, allow }) => {
  const provider = new arctic.FortyTwo(uid, secret, redirectUri)
  const state = arctic.generateState()
  const back = await allow(provider.createAuthorizationURL(state, ['public', 'projects']))
  const tokens = await provider.validateAuthorizationCode(back.searchParams.get('code') ?? '')
  const headers = { authorization: `Bearer ${tokens.accessToken()}` }
  const me = (await (await fetch('https://api.intra.42.fr/v2/me', { headers })).json()) as { login: string }
  const refused = await provider
    .validateAuthorizationCode('no-code')
    .catch((error) => [error instanceof arctic.OAuth2RequestError, error.code])
  return {
    sameState: back.searchParams.get('state') === state,
    type: tokens.tokenType(),
    scopes: tokens.scopes(),
    lifeSeconds: tokens.accessTokenExpiresInSeconds(),
    refresh: tokens.hasRefreshToken(),
    me: me.login,
    refused,
  }
})
