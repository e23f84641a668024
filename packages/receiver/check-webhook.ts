import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isRecord } from '@campus/engine/base/narrow'
import { signingKey } from '@campus/intranet/webhooks/delivery-request'
import { Webhook } from 'standardwebhooks'

type Finding = 'right' | 'wrong' | 'missing' | 'unchecked'

/** The result of a check. */
export type Findings = {
  /** The secret in clear: `key` in the body of a call to a campus, and the header `X-Secret` of a webhook of an application. */
  readonly key: Finding
  readonly signature: Finding | 'too old' | 'in the future'
  /** Model and event of an application's webhook. Undefined for a call to a campus. */
  readonly about: string | undefined
  /** Faults of the form, such as "no X-Event". */
  readonly faults: readonly string[]
}

type Arrived = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Tolerance of Standard Webhooks. */
const TOLERANCE_SECONDS = 300
/** Headers of every webhook of an application. */
const HEADERS = { 'x-model': 'X-Model', 'x-event': 'X-Event', 'x-delivery': 'X-Delivery', 'x-secret': 'X-Secret' }
/** Paths of calls to campuses below the address of their webservice (spec: webhooks 1). */
const CAMPUS_CALL = /\/users\/(new|[^/]+\/(update|close|unclose))$/

/** Checks the form, the secret and the signature, as a receiver should. Without a secret it checks neither of these. Gives the body, too, without what is secret in it. */
export function checkWebhook({ path, headers, text }: Arrived, secret: string | undefined) {
  const body = parse(text)
  const missing = Object.entries(HEADERS).flatMap(([name, shown]) => (headers[name] === undefined ? [shown] : []))
  const isCampusCall = missing.length === Object.keys(HEADERS).length && CAMPUS_CALL.test(path)
  const key = isCampusCall ? isRecord(body) && body.key : headers['x-secret']
  const findings: Findings = {
    key: checkKey(key, secret),
    signature: checkSignature(headers, text, secret),
    about: isCampusCall ? undefined : `${headers['x-model'] ?? '?'} ${headers['x-event'] ?? '?'}`,
    faults: [
      ...(isCampusCall ? [] : missing.map((name) => `no ${name}`)),
      ...(isCampusCall || idsAgree(headers) ? [] : ['X-Delivery and webhook-id differ']),
      ...(isRecord(body) ? [] : [body === undefined ? 'the body is not JSON' : 'the body is not a record']),
    ],
  }
  return { ...findings, body: withoutSecrets(body) }
}

/** The body without the key and the password that a call to a campus has in clear. */
function withoutSecrets(body: unknown): unknown {
  if (!isRecord(body)) return body
  const { key, password } = body
  return {
    ...body,
    ...(typeof key === 'string' ? { key: '(the key)' } : {}),
    ...(typeof password === 'string' ? { password: `(a password of ${[...password].length} characters)` } : {}),
  }
}

const idsAgree = ({ 'x-delivery': delivery, 'webhook-id': id }: IncomingHttpHeaders): boolean =>
  delivery === undefined || id === undefined || delivery === id

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function checkKey(key: unknown, secret: string | undefined): Finding {
  if (secret === undefined) return 'unchecked'
  if (typeof key !== 'string') return 'missing'
  const [given, expected] = [Buffer.from(key), Buffer.from(secret)]
  return given.length === expected.length && timingSafeEqual(given, expected) ? 'right' : 'wrong'
}

const textsOf = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** Does not check the signature if the time is out of tolerance. */
function checkSignature(headers: IncomingHttpHeaders, text: string, secret: string | undefined): Findings['signature'] {
  if (secret === undefined) return 'unchecked'
  if (headers['webhook-signature'] === undefined) return 'missing'
  const age = Date.now() / 1000 - Number(headers['webhook-timestamp'])
  if (age > TOLERANCE_SECONDS) return 'too old'
  if (age < -TOLERANCE_SECONDS) return 'in the future'
  try {
    const verifier = new Webhook(new Uint8Array(signingKey(secret)), { format: 'raw' })
    verifier.verify(text, textsOf(headers), { jsonParse: false })
    return 'right'
  } catch {
    return 'wrong'
  }
}
