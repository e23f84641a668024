import type { Message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { AnsweredError } from '@campus/engine/errors'
import type { ClientDocuments } from '../client-documents/client-documents.ts'
import type { OpenId, OpenIdClient } from '../openid/openid.ts'
import type { TokenResource } from '../resources.ts'

/** The application that requests authorization. */
export type RequestingClient = OpenIdClient & {
  readonly name: string
  readonly website: string | null
  /** The address of its picture. */
  readonly image: string | null
  /** The owner; null for none. */
  readonly owner: { readonly id: number; readonly login: string; readonly displayname: string } | null
  readonly scopes: readonly string[]
  readonly redirectUris: readonly string[]
  /** Whether its answers carry the issuer. */
  readonly addsIssuer: boolean
  /** Whether it is confidential. */
  readonly isConfidential: boolean
}

/** An authorization request, with the findings of the steps so far. A step reads only what is known before it. */
export type AuthorizationRequest = {
  readonly baseUrl: string
  readonly openid: OpenId
  readonly documents: Pick<ClientDocuments, 'find'>
  readonly handle: Handle
  readonly now: Date
  readonly asked: URLSearchParams
  /** The signed-in person. */
  readonly userId: number | undefined
  /** In which of their sessions. */
  readonly sessionId: number | undefined
  /** When they signed in. */
  readonly authenticatedAt: Date | undefined
  /** The methods by which they signed in (`SignInMethod`). */
  readonly authenticatedBy: readonly string[]
  /** Whether they signed in again for this request. */
  readonly hasSignedInAgain: boolean
  /** The subject of the `id_token_hint` that they signed in again for. */
  readonly carriedSubject: string | undefined
  /** The IP address of the person's browser. */
  readonly address: string
  /** The user's answer on the consent page. */
  readonly decision: 'allow' | 'deny' | undefined
  /** The optional scopes that the user ticked. */
  readonly ticked: readonly string[]

  readonly client: RequestingClient
  readonly redirectUri: string
  readonly scopes: readonly string[]
  /** The part of the service that the tokens are to be for; null for all of it. */
  readonly resource: TokenResource | null
  readonly codeChallenge: string | null
  readonly prompts: ReadonlySet<string>
  /** The nonce for the ID token; null if none was sent. */
  readonly nonce: string | null
  /** How old the sign-in may be, in seconds. */
  readonly maxAge: number | undefined
  /** Whom the application expects. */
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

/** The findings of a step, or what the user must be asked first. */
type StepResult = Finding & { readonly ask?: 'sign-in' | 'consent' }

export type Step = (request: AuthorizationRequest) => StepResult | Promise<StepResult>

/** Shown to the user on a page, since there is no safe address to redirect to (RFC 6749 §4.1.2.1). */
export class AuthorizePageError extends AnsweredError {
  /** The address that was asked for and is none of the application's. */
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

/** Sent to the application, at its redirect URI. */
export class AuthorizeError extends Error {
  readonly error: OAuthErrorName

  constructor(error: OAuthErrorName, description: string) {
    super(description)
    this.error = error
  }
}

/** The value of a parameter; one without a value counts as left out (RFC 6749 §3.1). */
export const parameter = ({ asked }: Pick<AuthorizationRequest, 'asked'>, name: string): string | undefined =>
  asked.get(name) || undefined
