import type { Message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { AnsweredError } from '@campus/engine/errors'
import type { ClientDocuments } from '../client-documents/client-documents.ts'
import type { OpenId, OpenIdClient } from '../openid/openid.ts'
import type { TokenResource } from '../resources.ts'

export type RequestingClient = OpenIdClient & {
  readonly name: string
  readonly website: string | null
  readonly image: string | null
  readonly owner: { readonly id: number; readonly login: string; readonly displayname: string } | null
  readonly scopes: readonly string[]
  readonly redirectUris: readonly string[]
  /** Whether its answers carry the issuer (RFC 9207). */
  readonly addsIssuer: boolean
  readonly isConfidential: boolean
}

/** An authorization request with the findings of the steps so far. A step reads only what earlier steps found. */
export type AuthorizationRequest = {
  readonly baseUrl: string
  readonly openid: OpenId
  readonly documents: Pick<ClientDocuments, 'find'>
  readonly handle: Handle
  readonly now: Date
  readonly asked: URLSearchParams
  readonly userId: number | undefined
  readonly sessionId: number | undefined
  readonly authenticatedAt: Date | undefined
  /** Methods of the sign-in (`SignInMethod`). */
  readonly authenticatedBy: readonly string[]
  /** Whether the user signed in again for this request. */
  readonly hasSignedInAgain: boolean
  /** Subject of the `id_token_hint` for which the user signed in again. */
  readonly carriedSubject: string | undefined
  /** IP address of the browser. */
  readonly address: string
  /** Answer on the consent page. */
  readonly decision: 'allow' | 'deny' | undefined
  /** Optional scopes that the user ticked. */
  readonly ticked: readonly string[]

  readonly client: RequestingClient
  readonly redirectUri: string
  readonly scopes: readonly string[]
  /** Null for the whole service. */
  readonly resource: TokenResource | null
  readonly codeChallenge: string | null
  readonly prompts: ReadonlySet<string>
  readonly nonce: string | null
  /** Maximum age of the sign-in, in seconds. */
  readonly maxAge: number | undefined
  /** Subject that the application expects. */
  readonly expectedSubject: string | undefined
}

type Finding = Partial<
  Pick<
    AuthorizationRequest,
    | 'client'
    | 'redirectUri'
    | 'resource'
    | 'scopes'
    | 'codeChallenge'
    | 'prompts'
    | 'nonce'
    | 'maxAge'
    | 'expectedSubject'
  >
>

/** Findings of a step, or the question to ask the user first. */
type StepResult = Finding & { readonly ask?: 'sign-in' | 'consent' }

export type Step = (request: AuthorizationRequest) => StepResult | Promise<StepResult>

/** An error that is shown on a page, since there is no safe address to redirect to (RFC 6749 §4.1.2.1). */
export class AuthorizePageError extends AnsweredError {
  /** An address that was requested and that the application has not registered. */
  readonly refused: RefusedAddress | undefined

  constructor(text: Message, refused?: RefusedAddress) {
    super(text)
    this.refused = refused
  }
}

export type RefusedAddress = { readonly client: RequestingClient; readonly address: string }

export type OAuthErrorName =
  | 'access_denied'
  | 'consent_required'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'login_required'
  | 'registration_not_supported'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'temporarily_unavailable'
  | 'unauthorized_client'
  | 'unsupported_response_type'

/** An error that is sent to the redirect URI. */
export class AuthorizeError extends Error {
  readonly error: OAuthErrorName

  constructor(error: OAuthErrorName, description: string) {
    super(description)
    this.error = error
  }
}

/** Returns a parameter. An empty value counts as absent (RFC 6749 §3.1). */
export const parameter = ({ asked }: Pick<AuthorizationRequest, 'asked'>, name: string): string | undefined =>
  asked.get(name) || undefined
