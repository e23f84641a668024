import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { Message } from '@campus/engine/base/languages/say'
import type { SqlValue } from '@campus/engine/rest/declare/fields/kinds'
import type { Call } from './calls.ts'
import type { Secrets } from './sealing.ts'

type Content = {
  readonly event: Call
  /** The login by which the campus knows the user. */
  readonly login: string
  /** JSON (spec: webhooks 2). */
  readonly record: string
  /** The secret of the endpoint. */
  readonly key: string | null
  readonly secrets: Secrets
}

/** Returns the path below the endpoint's address. */
export function pathOf({ event, login }: Pick<Content, 'event' | 'login'>): string {
  return event === 'created' ? '/users/new' : `/users/${encodeURIComponent(login)}/${PATHS[event]}`
}

const PATHS = { updated: 'update', closed: 'close', unclosed: 'unclose' } as const

/** Returns the fault of an endpoint's address, if any. Each attempt checks whether the service may connect to it. */
export function addressRule(value: SqlValue): Message | undefined {
  const url = URL.parse(String(value))
  if (url?.protocol !== 'https:' || url.username || url.password || url.hash) {
    return 'must be an https:// address without a user name, such as https://users.example.org/hooks'
  }
  return undefined
}

export function addressOf(base: string, path: string): URL {
  const url = new URL(base)
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  return url
}

/** Adds to a record what no table holds: the key, and for users the password and meta. */
export function bodyOf({ event, record, key, secrets: { password, meta } }: Content): string {
  const fields = JSON.parse(record)
  switch (event) {
    case 'created':
    case 'updated': {
      const { uid, login, id, email, ...rest } = fields
      return JSON.stringify({ uid, login, key, id, email, password, ...rest, meta })
    }
    default:
      return JSON.stringify({ ...fields, key })
  }
}

type Signed = { readonly id: string; readonly at: Date; readonly body: string; readonly signer: KeyObject | null }

/** Returns the headers of Standard Webhooks. `id` is the same on every attempt. */
export function webhookHeaders({ id, at, body, signer }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  if (!signer) return headers
  const signature = createHmac('sha256', signer).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { ...headers, 'webhook-signature': `v1,${signature}` }
}

/** Returns the signing key of a secret. Making it takes longer than signing, so it is reused. */
export const signerOf = (secret: string): KeyObject => createSecretKey(signingKey(secret))

const PREFIX = 'whsec_'

/** A secret in the form of Standard Webhooks is a key in base64. Any other is the key itself, in UTF-8. */
export const signingKey = (secret: string): Buffer =>
  secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret, 'utf8')
