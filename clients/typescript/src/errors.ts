/** Field → what is wrong with it; `base` where no single field is at fault. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

type Details = {
  readonly status: number
  readonly method: string
  readonly url: string
  readonly requestId: string | null
  readonly retryAfterSeconds: number | undefined
  readonly attempts: number
  readonly body: Readonly<Record<string, unknown>>
}

/** The service refused a request. The message says what is wrong, and what would be right. */
export class CampusError extends Error {
  readonly status: number
  /** Kind of refusal: usually the text of the status, or the error code of RFC 6749 for OAuth endpoints. */
  readonly error: string
  readonly method: string
  /** Without its query. */
  readonly url: string
  /** Finds the request in the service's log. */
  readonly requestId: string | null
  readonly retryAfterSeconds: number | undefined
  /** Number of attempts. */
  readonly attempts: number
  /** The body of the answer; empty if it was not a JSON object. */
  readonly body: Readonly<Record<string, unknown>>

  constructor({ status, method, url, requestId, retryAfterSeconds, attempts, body }: Details) {
    const { error, message, error_description: description } = body
    super(String(message ?? description ?? error ?? `${method} ${url} answered ${status}`))
    this.name = new.target.name
    this.status = status
    this.error = String(error ?? status)
    this.method = method
    this.url = url
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
    this.attempts = attempts
    this.body = body
  }
}

/** 400: the request is malformed, or names what there is not. */
export class BadRequestError extends CampusError {}
/** 401: the application did not prove itself, or its token could not be renewed. */
export class UnauthorizedError extends CampusError {}
/** 403: a scope or a role is missing; the message names it. */
export class ForbiddenError extends CampusError {}
/** 404 */
export class NotFoundError extends CampusError {}
/** 409: the same Idempotency-Key is still at work. */
export class ConflictError extends CampusError {}
/** 412: the record was changed since it was read (`If-Match`). */
export class PreconditionFailedError extends CampusError {}
/** 422: values break a rule. */
export class ValidationError extends CampusError {
  readonly errors: FieldErrors

  constructor(details: Details) {
    super(details)
    this.errors = (details.body.errors ?? {}) as FieldErrors
  }
}
/** 429, and a wait would be longer than allowed. */
export class RateLimitError extends CampusError {}
/** 503, again and again. */
export class UnavailableError extends CampusError {}

const KINDS: Readonly<Record<number, new (details: Details) => CampusError>> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  422: ValidationError,
  429: RateLimitError,
  503: UnavailableError,
}

/** Returns the error for a refused request. */
export async function errorOf(method: string, url: string, response: Response, attempts: number): Promise<CampusError> {
  const text = await response.text()
  const { status, headers } = response
  const Kind = KINDS[status] ?? CampusError
  return new Kind({
    ...{ status, method, attempts },
    url: url.split('?', 1)[0] as string,
    body: readBody(text),
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: retryAfterOf(headers),
  })
}

/** Reads seconds or a date (RFC 9110 §10.2.3). Returns seconds, or undefined without the header. */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/** Returns a JSON object, or an empty object for the other bodies that gateways send. */
function readBody(text: string): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
