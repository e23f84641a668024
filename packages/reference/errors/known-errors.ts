import type { HttpErrorStatus } from '@campus/engine/errors'
import type { OAuthErrorName } from '@campus/intranet/oauth/oauth-errors'

type Advice = readonly [error: string, meaning: string, remedy: string]

/** The default `error` of each status. */
const BY_STATUS: Readonly<Record<HttpErrorStatus, Advice>> = {
  400: [
    'Bad Request',
    'The request cannot be understood: a parameter, its value, the JSON or the encoding.',
    'Read `message`; it names the part, and the nearest name that there is. The same request fails again.',
  ],
  401: [
    'Unauthorized',
    'There is no token, or one that expired, was revoked or is unknown.',
    'Read `WWW-Authenticate`, fetch a new token and repeat once.',
  ],
  403: [
    'Forbidden',
    'The token is good, but lacks a scope, or the thing may be done by nobody.',
    'Read `message`: it names the scope. Ask for a token with it; add it to the application first where it has not got it.',
  ],
  404: [
    'Not Found',
    'There is no such record or path, or the token may not see it.',
    'Check the id or login, and the path. `/v2/openapi.json` lists the routes.',
  ],
  405: [
    'Method Not Allowed',
    'The path is there, with other methods.',
    'Take one of those that the header `Allow` names.',
  ],
  406: [
    'Not Acceptable',
    '`Accept` asks for a form that there is none of here.',
    'Leave `Accept` out, or ask for `application/json`.',
  ],
  408: [
    'Request Timeout',
    'The request began and did not arrive in time.',
    'Send it again; a slow line may need smaller bodies.',
  ],
  409: [
    'Conflict',
    'A request with the same `Idempotency-Key` is still running, or a JSON:API document is of another type.',
    'Wait for `Retry-After` and ask again with the same key; or mend the type that `message` names.',
  ],
  412: [
    'Precondition Failed',
    'The record was changed since the client read it (`If-Match`), or it matches `If-None-Match`.',
    'Read the record again, make the change in its present version, and send the new `ETag` in `If-Match`.',
  ],
  413: [
    'Content Too Large',
    'The body, a file or the number of parts is over the limit.',
    'Read `message` for the limit, and send less or in parts.',
  ],
  415: [
    'Unsupported Media Type',
    'The content type has parameters that are not known, or the body is compressed.',
    'Send `application/json` or `application/vnd.api+json` without parameters, and the body as it is.',
  ],
  416: [
    'Range Not Satisfiable',
    'The range of a file begins beyond its end.',
    'Ask for the file from its beginning, or within the length that `Content-Range` says.',
  ],
  422: [
    'Unprocessable Entity',
    'The request is well formed, and one or more values break a rule. Nothing was written.',
    'Show `errors` (field → texts) beside the fields, and send it again once they are mended.',
  ],
  429: [
    'Too Many Requests',
    'The application has used up its rate of this second or this hour. Nothing was done.',
    'Wait for `Retry-After` seconds and repeat. [Stay under the limits](/apidoc/guides/staying-under-the-limits).',
  ],
  431: [
    'Request Header Fields Too Large',
    'The request line and headers are longer than 16 KiB, or the query of a list is too long for a link to its next page.',
    'Shorten the address: put long lists of filters into several requests, or into `POST /v2/search/…`.',
  ],
  500: [
    'Internal Server Error',
    'Something went wrong on our side; a write may or may not have been done.',
    'Repeat later, a `POST` with its `Idempotency-Key`. Send the `X-Request-Id` to the people who run the service.',
  ],
  503: [
    'Service Unavailable',
    'The database is away or full, or the service is being restarted.',
    'Wait for `Retry-After`, longer each further time.',
  ],
}

/** Other values of `error`. */
const BY_MESSAGE: readonly (readonly [status: HttpErrorStatus, ...Advice])[] = [
  [
    400,
    'Sort Error',
    '`sort` names a field that this list is not sorted by.',
    'Take one of the fields that `message` and the reference of the list name, with a minus sign for descending.',
  ],
  [
    403,
    'Access Denied',
    'The application lacks a role, or the record is not one of the person’s own.',
    'Read `message`: it names the role. Staff give applications roles; nobody can take one.',
  ],
  [
    422,
    'Graph Error',
    'A graph cannot be counted as asked: its field, interval or time zone.',
    'Read `message`, and take one of the fields and intervals that it names.',
  ],
  [
    503,
    'Database Unavailable',
    'At `/health`: the database is away.',
    'Nothing for clients; the service comes back by itself.',
  ],
  [503, 'Database Busy', 'At `/health`: the database does not answer in time.', 'Send less for a while.'],
  [503, 'Starting', 'The service is starting: its database is being made ready.', 'Send requests to another, or wait.'],
  [503, 'Stopping', 'At `/health`: the service is being stopped.', 'Send requests to another, or wait.'],
]

/** Values of `error` at the OAuth endpoints (RFC 6749 §5.2). */
const OAUTH_ERRORS: Readonly<Record<OAuthErrorName, readonly [status: number, meaning: string, remedy: string]>> = {
  insufficient_scope: [
    403,
    'The access token was not allowed with the scope `openid`.',
    'Send people to sign in with `scope=openid`.',
  ],
  invalid_client: [
    401,
    'The id or the secret is wrong, ended, or of another service; or the account of the owner is closed.',
    'Check `client_id` and `client_secret`; make a new secret on the page of the application.',
  ],
  invalid_client_metadata: [
    400,
    'At `/oauth/register`: the metadata of the client is malformed, or asks for a flow that the service does not have.',
    'Read `error_description`, and mend the metadata.',
  ],
  invalid_grant: [
    400,
    'The code or refresh token was used before, has expired, or is another application’s; or the redirect address or the verifier differs.',
    'Have the person sign in again. Keep each new refresh token before anything else.',
  ],
  invalid_redirect_uri: [
    400,
    'At `/oauth/register`: none of the `redirect_uris` is allowed.',
    'Send an https address, a loopback http address, or one of a private scheme.',
  ],
  invalid_request: [
    400,
    'A parameter is missing, repeated or not understood.',
    'Read `error_description`, and mend the request.',
  ],
  invalid_scope: [
    400,
    'The application may not ask for a scope, or there is none of that name.',
    'Ask for those that `error_description` names, or add the scope on the page of the application.',
  ],
  invalid_target: [
    400,
    'The `resource` is no address of this service, or not the one that the person was asked about.',
    'Leave it out, or send the address of this service, of its `/v2` or of its `/mcp`.',
  ],
  too_many_requests: [
    429,
    'Tokens are asked for too often.',
    'Keep a token until it ends: two hours. Wait for `Retry-After`.',
  ],
  unauthorized_client: [
    403,
    'The token belongs to another application, or the grant is not for this one.',
    'Use the credentials of the application that the token was given to.',
  ],
  unsupported_grant_type: [
    400,
    'There is no such `grant_type`.',
    'Take `client_credentials`, `authorization_code` or `refresh_token`.',
  ],
}

/** Values of `error` in the query of the redirect address (RFC 6749 §4.1.2.1). */
const AT_REDIRECT: readonly Advice[] = [
  ['access_denied', 'The person did not allow it.', 'Say so, and let them try again when they like.'],
  ['consent_required', '`prompt=none`, and the person has not allowed this yet.', 'Ask again without `prompt=none`.'],
  ['login_required', '`prompt=none`, and nobody is signed in.', 'Ask again without `prompt=none`.'],
  ['unsupported_response_type', '`response_type` is not `code`.', 'Send `response_type=code`.'],
]

/** Every error that clients may meet, by status. `anchor` is unique on the page. */
export const KNOWN_ERRORS = [
  ...Object.entries(BY_STATUS).flatMap(([status, advice]) => [
    errorOf(Number(status), advice, status),
    ...BY_MESSAGE.filter(([one]) => one === Number(status)).map(([one, ...special]) => errorOf(one, special)),
  ]),
  ...Object.entries(OAUTH_ERRORS).map(([error, [status, ...advice]]) => errorOf(status, [error, ...advice])),
  ...AT_REDIRECT.map((advice) => errorOf(302, advice)),
]

function errorOf(status: number, [error, meaning, remedy]: Advice, anchor = error.toLowerCase().replaceAll(' ', '-')) {
  return { anchor, status, error, meaning, remedy }
}
