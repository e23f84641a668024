import assert from 'node:assert/strict'
import type { Agent } from 'undici'
import type { Client } from './client.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape
export type Event = { readonly id: string; readonly event: string; readonly text: string; readonly data: any }

/** An open event stream, read as a client reads it. Close it after use. */
export type WatchedStream = {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** Returns the next event other than a heartbeat, or undefined at the end of the stream. */
  next(): Promise<Event | undefined>
  /** Returns the text received so far. */
  readonly text: () => string
  close(): void
}

const MAX_WAIT_MS = 10_000

/** Opens the stream of a path. */
export async function watch(
  { url, agent }: { readonly url: string; readonly agent: Agent },
  { token }: Client,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<WatchedStream> {
  const closing = new AbortController()
  const answer = await agent.request({
    ...{ origin: url, path, method: 'GET', signal: closing.signal, headersTimeout: MAX_WAIT_MS, bodyTimeout: 0 },
    headers: { accept: 'text/event-stream', ...(token && { authorization: `Bearer ${token}` }), ...headers },
  })
  let text = ''
  let read = 0
  const chunks = answer.body[Symbol.asyncIterator]()
  async function nextBlock(): Promise<string | undefined> {
    for (;;) {
      const end = text.indexOf('\n\n', read)
      if (end >= 0) {
        const block = text.slice(read, end)
        read = end + 2
        return block
      }
      const { done, value } = await within(chunks.next())
      if (done) return undefined
      text += Buffer.from(value).toString('utf8')
    }
  }
  return {
    status: answer.statusCode,
    headers: answer.headers,
    async next() {
      for (;;) {
        const block = await nextBlock()
        if (block === undefined) return undefined
        const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]))
        const data = fields.get('data')
        if (data !== undefined)
          return { id: fields.get('id') ?? '', event: fields.get('event') ?? '', text: data, data: JSON.parse(data) }
      }
    },
    text: () => text,
    close() {
      closing.abort()
      answer.body.on('error', () => {})
    },
  }
}

async function within<T>(awaited: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new assert.AssertionError({ message: 'no event came' })), MAX_WAIT_MS)
  try {
    return await Promise.race([awaited, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
