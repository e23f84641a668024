import { Agent } from 'node:https'
import type { Request } from 'autocannon'
import { ask } from './ask.ts'
import type { Target } from './load.ts'

const SHARE_OF_WRITES = 0.05

/**
 * Returns a generator of requests. It reads the addresses by Zipf's law, the first most often. A share of the requests
 * to users are writes, each of which changes the user's record.
 */
export function mixOf(addresses: readonly string[], writer: Readonly<Record<string, string>> = {}): () => Request {
  const sums: number[] = []
  for (const [index] of addresses.entries()) sums.push((sums.at(-1) ?? 0) + 1 / (index + 1))
  const choose = () => {
    const at = Math.random() * (sums.at(-1) as number)
    return addresses[sums.findIndex((sum) => sum >= at)] as string
  }
  let number = 0
  return () => {
    const path = choose()
    if (!path.startsWith('/v2/users/') || Math.random() >= SHARE_OF_WRITES) return { path }
    number += 1
    return {
      method: 'PATCH',
      path,
      headers: { ...writer, 'content-type': 'application/json' },
      body: JSON.stringify({ user: { first_name: `Name ${number}` } }),
    }
  }
}

/** Adds the ETag of the current response to a request, like a client that has cached the response. */
export async function makeConditional(target: Target, path: string, ca: string): Promise<Request> {
  const { headers } = await ask(new Agent({ ca }), target, { path })
  return { path, headers: { 'if-none-match': String(headers.etag) } }
}
