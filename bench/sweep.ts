/**
 * Times every read of a running service: `npm run bench:sweep -- https://localhost:8443 TOKEN`, with NODE_EXTRA_CA_CERTS. The service
 * must not keep answers (`CAMPUS_RESPONSE_CACHE_MIB=0`).
 */
import { type Ask, readsOf } from '@campus/test/support/every-read'

export type Swept = {
  readonly reads: number
  /** Time of a page of users. */
  readonly pageMilliseconds: number
  /** Requests that take longer than ten pages of users, the slowest first. */
  readonly slow: readonly { readonly path: string; readonly milliseconds: number; readonly status: number }[]
}

/** Number of repetitions of a slow request. The best time counts. */
const ROUNDS = 3
const PAGES = 10

type AskPath = (path: string) => Promise<{ readonly status: number; readonly body: string }>

/** Times every read that the service offers, one after another, beside a page of users. */
export async function sweep(ask: AskPath): Promise<Swept> {
  const askJson: Ask = async (path) => parse((await ask(path)).body)
  const timeOnce = async (path: string) => {
    const begin = performance.now()
    const { status } = await ask(path)
    return { path, milliseconds: performance.now() - begin, status }
  }
  /** The best of several times, where the first is not good enough. */
  const time = async (path: string, enough: number) => {
    let best = await timeOnce(path)
    for (let round = 1; round < ROUNDS && best.milliseconds > enough; round += 1) {
      const again = await timeOnce(path)
      if (again.milliseconds < best.milliseconds) best = again
    }
    return best
  }
  const paths = await readsOf(await askJson('/v2/openapi.json'), askJson)
  const pages: number[] = []
  for (let round = 0; round < PAGES; round += 1) pages.push((await time('/v2/users', 0)).milliseconds)
  const pageMilliseconds = pages.sort((one, other) => one - other)[PAGES >> 1] as number
  const timed = []
  for (const path of paths) timed.push(await time(path, PAGES * pageMilliseconds))
  const slow = timed.filter(({ milliseconds }) => milliseconds > PAGES * pageMilliseconds)
  return {
    reads: timed.length,
    pageMilliseconds,
    slow: slow.sort((one, other) => other.milliseconds - one.milliseconds),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

if (import.meta.main) {
  const [base = '', token = ''] = process.argv.slice(2)
  const headers = { authorization: `Bearer ${token}` }
  const { reads, pageMilliseconds, slow } = await sweep(async (path) => {
    const response = await fetch(base + path, { headers })
    return { status: response.status, body: await response.text() }
  })
  for (const { path, milliseconds, status } of slow) console.log(milliseconds.toFixed(1).padStart(8), status, path)
  console.log(
    `${slow.length} of ${reads} reads take longer than ten pages of users (${pageMilliseconds.toFixed(1)} ms)`,
  )
}
