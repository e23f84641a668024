import type { Message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { withParameters } from '../with-parameters.ts'
import { type Hint, OPENID_CLIENT, type OpenId, type OpenIdClient } from './openid.ts'

type LogoutClient = OpenIdClient & { readonly name: string; readonly post_logout_redirect_uris: readonly string[] }

/** A logout request (OpenID Connect RP-Initiated Logout §2), or the reason why it is refused. */
export type LogoutRequest =
  | {
      readonly kind: 'request'
      readonly client: LogoutClient | undefined
      readonly hint: Hint | undefined
      /** Registered address to which the browser returns, with the state. */
      readonly returnTo: string | undefined
    }
  | { readonly kind: 'fault'; readonly text: Message }

type Dependencies = { readonly database: Handle; readonly openid: OpenId }

/** Reads a logout request. The browser returns only to a registered address. */
export async function readLogout({ database, openid }: Dependencies, asked: URLSearchParams): Promise<LogoutRequest> {
  const repeated = [...asked.keys()].some((name) => asked.getAll(name).length > 1)
  if (repeated) return fault('A parameter was sent more than once.')
  const token = asked.get('id_token_hint') || undefined
  const hint = token === undefined ? undefined : await openid.readHint(database, token)
  if (token !== undefined && hint === undefined) return fault('The id_token_hint is not an ID token of this service.')
  const uid = asked.get('client_id') || hint?.aud
  if (hint && uid !== hint.aud)
    return fault('The id_token_hint is not an ID token of the application that client_id names.')
  const client = uid === undefined ? undefined : await findClient(database, uid)
  if (uid !== undefined && !client) return fault('No application is known by this client_id.')
  const address = asked.get('post_logout_redirect_uri') || undefined
  if (address === undefined) return { kind: 'request', client, hint, returnTo: undefined }
  if (!client?.post_logout_redirect_uris.includes(address))
    return fault('The post_logout_redirect_uri is none of the addresses that the application registered.')
  const state = asked.get('state')
  const returnTo = state === null ? address : withParameters(address, new URLSearchParams({ state }))
  return { kind: 'request', client, hint, returnTo }
}

const fault = (text: Message): LogoutRequest => ({ kind: 'fault', text })

const findClient = ({ kysely }: Handle, uid: string) =>
  kysely
    .selectFrom('applications')
    .select(OPENID_CLIENT)
    .select(['name', 'post_logout_redirect_uris'])
    .where('uid', '=', uid.toWellFormed().replaceAll('\0', ''))
    .executeTakeFirst()
