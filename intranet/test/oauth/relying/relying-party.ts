import assert from 'node:assert/strict'
import type { World } from '@campus/test/support/campus'
import type { Flow, Registered } from '@campus/test/support/oauth-flow'

/** Sign-in options of an application, by the names of the API. */
export type Chosen = {
  readonly redirect_uris: readonly string[]
  readonly scopes?: readonly string[]
  readonly confidential?: boolean
  readonly post_logout_redirect_uris?: readonly string[]
  readonly id_token_signed_response_alg?: string
  readonly subject_type?: string
  readonly backchannel_logout_uri?: string
}

/** An application at which people sign in, with a secret unless it chose otherwise. */
export async function relyingParty(
  { world, flow }: { readonly world: World; readonly flow: Flow },
  { redirect_uris, scopes = ['openid', 'email', 'groups'], confidential = true, ...chosen }: Chosen,
): Promise<Registered & { readonly secret: string }> {
  const app = await flow.application({ redirect_uris, scopes, confidential } as never)
  const response = await world.director.patch(`/v2/apps/${app.id}`, { app: chosen })
  assert.equal(response.status, 204, response.text)
  return { ...app, secret: app.secret ?? '' }
}
