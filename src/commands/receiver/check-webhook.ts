import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { isRecord } from '../../base/narrow.ts'
import { signingKey } from '../../webhooks/delivery-request.ts'

type Finding = 'right' | 'wrong' | 'missing' | 'unchecked'

/** What a check of a webhook finds. */
export type Findings = {
  /** The secret in clear: `key` in the body of a call to a campus, and the header `X-Secret` of a webhook of an application. */
  readonly key: Finding
  readonly signature: Finding
  /** What a webhook of an application says it is about; undefined for a call to a campus. */
  readonly about: string | undefined
  /** Headers that a webhook of an application has, and this one has not. */
  readonly missing: readonly string[]
}

/** What every webhook of an application has. */
const HEADERS = ['x-model', 'x-event', 'x-delivery', 'x-secret'] as const

/** Checks the secret and the signature, as a receiver should. Without a secret it checks neither. */
export function checkWebhook(headers: IncomingHttpHeaders, text: string, secret: string | undefined) {
  const body = parse(text)
  const missing = HEADERS.filter((name) => headers[name] === undefined)
  const isOfApplication = missing.length < HEADERS.length
  const key = isOfApplication ? headers['x-secret'] : isRecord(body) ? body.key : undefined
  const findings: Findings = {
    key: checkKey(key, secret),
    signature: checkSignature(headers, text, secret),
    about: isOfApplication ? `${headers['x-model'] ?? '?'} ${headers['x-event'] ?? '?'}` : undefined,
    missing: isOfApplication ? missing : [],
  }
  return { ...findings, body }
}

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

function checkSignature(headers: IncomingHttpHeaders, text: string, secret: string | undefined): Finding {
  if (secret === undefined) return 'unchecked'
  if (headers['webhook-signature'] === undefined) return 'missing'
  try {
    const verifier = new Webhook(new Uint8Array(signingKey(secret)), { format: 'raw' })
    verifier.verify(text, textsOf(headers), { jsonParse: false })
    return 'right'
  } catch {
    return 'wrong'
  }
}
