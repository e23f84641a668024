import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { isRecord } from '../../base/narrow.ts'
import { signingKey } from '../../webhooks/delivery-request.ts'

/** What a check of a webhook finds. */
export type Findings = {
  readonly key: 'right' | 'wrong' | 'missing' | 'unchecked'
  readonly signature: 'right' | 'wrong' | 'missing' | 'unchecked'
}

/** Checks the key in the body and the signature over it, as a webservice should. Without a secret it checks neither. */
export function checkWebhook(headers: IncomingHttpHeaders, text: string, secret: string | undefined) {
  const body = parse(text)
  return { key: checkKey(body, secret), signature: checkSignature(headers, text, secret), body }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function checkKey(body: unknown, secret: string | undefined): Findings['key'] {
  if (secret === undefined) return 'unchecked'
  const key = isRecord(body) ? body.key : undefined
  if (typeof key !== 'string') return 'missing'
  const [given, expected] = [Buffer.from(key), Buffer.from(secret)]
  return given.length === expected.length && timingSafeEqual(given, expected) ? 'right' : 'wrong'
}

const textsOf = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

function checkSignature(headers: IncomingHttpHeaders, text: string, secret: string | undefined): Findings['signature'] {
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
