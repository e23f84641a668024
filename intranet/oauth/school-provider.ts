import { codeOf } from '@campus/engine/base/caught'
import { message } from '@campus/engine/base/languages/say'
import { unavailable, unprocessable } from '@campus/engine/errors'
import * as openid from 'openid-client'
import type { SchoolIdentity } from '../access/school-identities.ts'
import type { SchoolProviderConfig } from '../settings/config.ts'

const TIMEOUT_SECONDS = 10

/** The state of a sign-in, which the browser stores sealed. */
export type Departure = { readonly state: string; readonly nonce: string; readonly verifier: string }

/** The school's OpenID Connect provider, an alternative to a password. */
export class SchoolProvider {
  readonly name: string
  readonly #settings: SchoolProviderConfig
  #configuration: Promise<openid.Configuration> | undefined

  constructor(settings: SchoolProviderConfig) {
    this.#settings = settings
    this.name = settings.name
  }

  /** Returns the address to redirect to. The user returns to `redirectUri`. Throws 503. */
  async depart(redirectUri: string): Promise<{ readonly url: string; readonly departure: Departure }> {
    const configuration = await this.#discover()
    const [state, nonce, verifier] = [openid.randomState(), openid.randomNonce(), openid.randomPKCECodeVerifier()]
    const url = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid email',
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    return { url: url.href, departure: { state, nonce, verifier } }
  }

  /** Returns the identity of the user who came back at this address. Throws 422 for an invalid answer, and 503. */
  async arrive(address: URL, { state, nonce, verifier }: Departure): Promise<SchoolIdentity> {
    const configuration = await this.#discover()
    try {
      const tokens = await openid.authorizationCodeGrant(configuration, address, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims) throw new Error('no claims')
      // Some providers send the e-mail address only from the userinfo endpoint.
      const said =
        claims.email === undefined && configuration.serverMetadata().userinfo_endpoint
          ? await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : claims
      const email = typeof said.email === 'string' ? said.email : undefined
      return { issuer: claims.iss, subject: claims.sub, email, isEmailVerified: said.email_verified === true }
    } catch (error) {
      throw explain(error, this.name)
    }
  }

  /** Discovers the provider when it is first needed, so that the service starts without it. Retries after a failure. */
  #discover(): Promise<openid.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings
    this.#configuration ??= openid
      .discovery(new URL(issuer), clientId, clientSecret, undefined, { timeout: TIMEOUT_SECONDS })
      .catch((error) => {
        this.#configuration = undefined
        throw unreachable(this.name, error)
      })
    return this.#configuration
  }
}

const unreachable = (name: string, cause: unknown) =>
  Object.assign(
    unavailable(
      message('{school} cannot be reached right now. Try again in a moment, or use your password.', { school: name }),
    ),
    { cause },
  )

/** Network errors have a code of the system or of `fetch` in their cause. */
const isUnanswered = (error: unknown) =>
  codeOf(error) === 'OAUTH_TIMEOUT' || (error instanceof TypeError && codeOf(error.cause) !== '')

/** Turns errors of the provider or the browser into refusals for users. */
function explain(error: unknown, name: string): unknown {
  if (error instanceof openid.AuthorizationResponseError && error.error === 'access_denied') {
    return unprocessable({
      base: [message('You were not signed in: the sign-in was refused or cancelled at {school}.', { school: name })],
    })
  }
  if (isUnanswered(error)) return unreachable(name, error)
  const refusal = unprocessable({
    base: [message('You were not signed in: the answer of {school} could not be used. Try again.', { school: name })],
  })
  return Object.assign(refusal, { cause: error })
}
