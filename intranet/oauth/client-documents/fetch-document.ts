import { setTimeout as startDeadline } from 'node:timers'
import { once } from '@campus/engine/base/once'
import type { Dispatcher } from 'undici'
import { type GuardOptions, guardedConnector } from '../../webhooks/guarded-connector.ts'
import { limitAnswers } from '../../webhooks/limit-answers.ts'
import type { Outgoing } from '../../webhooks/outgoing.ts'

type Fetched = { readonly text: string; readonly maxAgeSeconds: number | undefined }

/** Throws DocumentGone, or another error if the fetch may succeed later. */
export type FetchDocument = (url: URL) => Promise<Fetched>

export class DocumentGone extends Error {}

/** Short, because a person waits for the document. */
const CONNECT_MILLISECONDS = 3_000
const WHOLE_MILLISECONDS = 5_000
const MAX_DOCUMENT_BYTES = 16_384
/** Maximum size of a document with its headers and chunk framing. */
const MAX_ANSWER_BYTES = 65_536
type Options = Pick<Outgoing, 'allowed' | 'tls'> & Pick<GuardOptions, 'resolve'>

/** Fetches documents from public and allowed addresses, without following redirects. */
export function documentFetcher(loadOptions: () => Promise<Options>): FetchDocument {
  const load = once(async () => {
    const { allowed, tls, resolve } = await loadOptions()
    const { Client } = await import('undici')
    // The client certificate is only for hosts that the operator knows.
    const trusted = tls.ca ? { ca: tls.ca } : {}
    const connect = await guardedConnector({ allowed, tls: trusted, connectMs: CONNECT_MILLISECONDS, resolve })
    const limited = limitAnswers(connect, MAX_ANSWER_BYTES)
    return (origin: string) => new Client(origin, { connect: limited, allowH2: false, pipelining: 1 })
  })
  return async (url) => {
    const deadline = new AbortController()
    const timer = startDeadline(() => deadline.abort(new Error('the document came too late')), WHOLE_MILLISECONDS)
    try {
      const client = (await load())(url.origin)
      try {
        return await read(client, url, deadline.signal)
      } finally {
        await client.destroy()
      }
    } finally {
      clearTimeout(timer)
    }
  }
}

async function read(client: Dispatcher, url: URL, signal: AbortSignal): Promise<Fetched> {
  const { statusCode, headers, body } = await client.request({
    path: url.pathname + url.search,
    method: 'GET',
    headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'Campus-Intranet/1' },
    headersTimeout: 0,
    bodyTimeout: 0,
    signal,
  })
  const type = String(headers['content-type'] ?? '')
  const isJson = /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)
  if (isTransient(statusCode)) throw new Error(`the answer is ${statusCode}`)
  if (statusCode !== 200 || !isJson || headers['content-encoding'] !== undefined)
    throw new DocumentGone(`the answer is ${statusCode} of the type ${JSON.stringify(type.slice(0, 100))}`)
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > MAX_DOCUMENT_BYTES) throw new DocumentGone(`the document is larger than ${MAX_DOCUMENT_BYTES} bytes`)
    parts.push(part)
  }
  return { text: Buffer.concat(parts).toString(), maxAgeSeconds: maxAgeOf(String(headers['cache-control'] ?? '')) }
}

const isTransient = (statusCode: number) => statusCode >= 500 || statusCode === 429 || statusCode === 408

function maxAgeOf(cacheControl: string): number | undefined {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return 0
  const seconds = /\bmax-age="?(\d{1,9})\b/i.exec(cacheControl)?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}
