import { type FilledMessage, filled, inEnglish, type Message, message, verbatim } from './base/languages/say.ts'

export type FieldErrors = Readonly<Record<string, readonly Message[]>>

const STATUS_TEXT = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const

export type HttpErrorStatus = keyof typeof STATUS_TEXT

/** The part of a request that an error is about: a query parameter, a header, or a JSON pointer into the body (RFC 6901). */
export type Source = { readonly parameter: string } | { readonly header: string } | { readonly pointer: string }

type HttpErrorDetails = {
  /** The `error` member of the body. Defaults to the status text. */
  readonly error?: string | undefined
  readonly errors?: FieldErrors | undefined
  readonly source?: Source | undefined
  /** JSON pointers into the body by the fields of `errors`. */
  readonly pointers?: Readonly<Record<string, string>> | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Label of the refusal in metrics. Must never contain a client's input. */
  readonly reason?: string | undefined
}

/**
 * An error that is sent to its reader, in their language (`text`). `message` is its English. Has no stack trace by default, since
 * capturing one costs more than the rest of a refusal.
 */
export class AnsweredError extends Error {
  readonly text: FilledMessage

  constructor(text: Message, { isTraced = false } = {}) {
    const { stackTraceLimit } = Error
    if (!isTraced) Error.stackTraceLimit = 0
    // A client's text may have been cut within a surrogate pair.
    super(inEnglish(text).toWellFormed())
    Error.stackTraceLimit = stackTraceLimit
    this.text = filled(text)
  }
}

/** An error response. Only `http/errors.ts` sends it. */
export class HttpError extends AnsweredError {
  readonly status: HttpErrorStatus
  readonly error: string
  readonly errors: FieldErrors | undefined
  readonly source: Source | undefined
  readonly pointers: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly reason: string | undefined

  constructor(status: HttpErrorStatus, text: Message, details: HttpErrorDetails = {}) {
    super(text, { isTraced: status >= 500 })
    this.name = 'HttpError'
    this.status = status
    this.error = details.error ?? STATUS_TEXT[status]
    this.errors = details.errors
    this.source = details.source
    this.pointers = details.pointers ?? {}
    this.headers = details.headers ?? {}
    this.reason = details.reason
  }
}

/** 400: the request is malformed. `error` replaces the status text if clients know a name for the case (spec: errors 1). */
export const malformed = (text: Message, error?: string, source?: Source) => new HttpError(400, text, { error, source })

export const wrongParameter = (parameter: string, text: Message, error?: string) =>
  malformed(text, error, { parameter })

export const headersTooLarge = () =>
  new HttpError(431, 'The request line and headers are longer than this service reads (16 KiB).')

/** 403 for a missing role, worded for existing clients (spec: errors 7). */
export const accessDenied = (text: Message) => new HttpError(403, text, { error: 'Access Denied', reason: 'role' })

export const notFound = (text: Message) => new HttpError(404, text)

export const errorsInEnglish = (errors: FieldErrors): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(Object.entries(errors).map(([field, texts]) => [field, texts.map(inEnglish)]))

/** Bound the response, which must not be longer than the request. */
const MAX_ERROR_FIELDS = 50
const MAX_ERROR_LENGTH = 1_000

/** 422: values of a well-formed request are invalid. Lists the first fields if many are invalid. */
export function unprocessable(errors: FieldErrors): HttpError {
  const shown = firstOf(errors)
  const all = Object.entries(shown).flatMap(([field, texts]) => texts.map((text) => faultInEnglish(field, text)))
  return new HttpError(422, verbatim(all.join('; ')), { errors: shown })
}

export const faultInEnglish = (field: string, text: Message): string =>
  field === 'base' ? inEnglish(text) : `${field} ${inEnglish(text)}`

export function refuseIfAny(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw unprocessable(errors)
}

function firstOf(errors: FieldErrors): FieldErrors {
  const entries = Object.entries(errors)
  const shown = Object.fromEntries(
    entries.slice(0, MAX_ERROR_FIELDS).map(([field, texts]) => [field, texts.map(shortened)]),
  )
  const omitted = entries.length - MAX_ERROR_FIELDS
  if (omitted <= 0) return shown
  return { ...shown, base: [...(shown.base ?? []), message('{omitted} more fields are faulty', { omitted })] }
}

function shortened(text: Message): Message {
  const english = inEnglish(text)
  if (english.length > MAX_ERROR_LENGTH) return verbatim(`${english.slice(0, MAX_ERROR_LENGTH)}…`.toWellFormed())
  return english.isWellFormed() ? text : verbatim(english.toWellFormed())
}

/** Prefixes fields with their part of the body: `user_id` becomes `teams_users_attributes[0].user_id`. */
export const errorsWithin = (part: string, errors: FieldErrors): FieldErrors =>
  Object.fromEntries(Object.entries(errors).map(([name, texts]) => [name === 'base' ? part : `${part}.${name}`, texts]))

/** 429: try again after `retryAfterSeconds`, which is rounded up. `reason` is the label in metrics. */
export const tooManyRequests = (text: Message, retryAfterSeconds: number, reason: string) =>
  new HttpError(429, text, { headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) }, reason })

export const unavailable = (text: Message, retryAfterSeconds = 1) =>
  new HttpError(503, text, { headers: { 'Retry-After': String(retryAfterSeconds) } })
