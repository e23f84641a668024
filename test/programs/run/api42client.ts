import AuthenticatorModule from 'api42client'
import { defaultOf, program } from '../program.ts'

const Authenticator = defaultOf(AuthenticatorModule)

/** A code is exchanged by JSON, and the token asked whether it still holds. */
await program(async ({ uid, secret, redirectUri, allow }) => {
  const api = new Authenticator(uid, secret, redirectUri)
  const query = new URLSearchParams({ client_id: uid, redirect_uri: redirectUri, response_type: 'code' })
  const back = await allow(`https://api.intra.42.fr/oauth/authorize?${query}`)
  const code = back.searchParams.get('code')
  const token = await api.get_Access_token(code)
  const again = await api.get_Access_token(code).catch(({ message }: Error) => message.includes('access token'))
  // A code that is presented twice ends what it was exchanged for.
  const validAfterReplay = await api.is_valid_token(token.access_token)
  const other = await allow(`https://api.intra.42.fr/oauth/authorize?${query}`)
  const { access_token, ...rest } = await api.get_Access_token(other.searchParams.get('code'))
  const me = await api.get_user_data(access_token)
  const valid = await api.is_valid_token(access_token)
  return { again, validAfterReplay, valid, rest: Object.keys(rest).sort(), me: [me.login, me.usual_full_name] }
})
