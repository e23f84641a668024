import { codeOf } from '@campus/engine/base/caught'
import { message } from '@campus/engine/base/languages/say'
import { unavailable, unprocessable } from '@campus/engine/errors'
import * as openid from 'openid-client'
import type { SchoolIdentity } from '../access/school-identities.ts'
import type { SchoolProviderConfig } from '../settings/config.ts'

const TIMEOUT_SECONDS = 10

/** The state of a sign-in, stored in the browser, sealed. */
export type Departure = { readonly state: string; readonly nonce: string; readonly verifier: string }

/** The school's own OpenID Connect provider, at which people may sign in instead of by a password. */
export class SchoolProvider {
  readonly name: string
  readonly #settings: SchoolProviderConfig
  #configuration: Promise<openid.Configuration> | undefined

  constructor(settings: SchoolProviderConfig) {
    this.#settings = settings
    this.name = settings.name
  }

  /** The address to redirect to, from which the user returns to `redirectUri`. Throws 503. */
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

  /** Who came back with this address. Throws 422 when the provider or the browser does not say it rightly, and 503. */
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
      // Providers say the address in the ID token or only when asked for more.
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

  /** Asked for when it is first needed, so that the service starts without the provider; asked again after a failure. */
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

/** What the network refused has a code of the system or of `fetch` in its cause. */
const isUnanswered = (error: unknown) =>
  codeOf(error) === 'OAUTH_TIMEOUT' || (error instanceof TypeError && codeOf(error.cause) !== '')

/** Explains an error of the redirects, which is the provider's or the browser's, as a refusal for users. */
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
