import { setTimeout as wait } from 'node:timers/promises'
import { Agent } from 'undici'
import { type Client, clientOf } from '../support/client.ts'
import { watch } from '../support/event-stream.ts'
import type { Visitor } from '../support/visitor.ts'

/** An ordinary user. */
export type Other = { readonly id: number; readonly login: string; readonly client: Client; readonly browser: Visitor }

type Place = {
  readonly url: string
  readonly ca: string
  readonly people: readonly Other[]
  /** An application of staff that creates groups. */
  readonly director: string
}

/** The responses that other people got. */
export type OthersReport = {
  /** Sorted response times, counted from when a request was due, so that waiting for an earlier request counts. */
  readonly milliseconds: readonly number[]
  readonly failures: readonly string[]
  /** When each group was created, by its name, by `performance.now()`. */
  readonly created: ReadonlyMap<string, number>
}

const TIMEOUT_MS = 120_000

/** An agent that trusts this certificate and waits as long as a busy machine needs. */
export const backgroundAgent = (ca: string) =>
  new Agent({ connect: { ca, timeout: TIMEOUT_MS }, headersTimeout: TIMEOUT_MS, allowH2: false })

let number = 0

/**
 * Maximum number of attempts of a request that is not measured. It is repeated after a 503 or a timeout, since the
 * machine may be busy.
 */
const ATTEMPTS = 5

type Answered = { readonly status: number; readonly text: string }

class Refused extends Error {
  readonly status: number

  constructor(status: number, text: string) {
    super(text)
    this.status = status
  }
}

/**
 * Number of requests: `each` per person, one after another, or `perSecond` in total, each sent when it is due even if
 * earlier ones still run.
 */
export type Pace = { readonly each: number } | { readonly perSecond: number; readonly seconds: number }

/** Sends reads, writes, pages and streams. */
export async function workOfOthers(place: Place, pace: Pace): Promise<OthersReport> {
  const { url, ca, people } = place
  const agent = backgroundAgent(ca)
  const director = clientOf({ url, agent }, place.director)
  const milliseconds: number[] = []
  const failures: string[] = []
  const created = new Map<string, number>()

  function requireStatus(what: string, { status, text }: Answered, expected = 200): void {
    if (status !== expected) throw new Refused(status, `${what}: ${status} ${text.slice(0, 200)}`)
  }
  const clientIn = ({ client }: Other) => clientOf({ url, agent }, client.token)
  const read = (path: (other: Other) => string) => async (other: Other) =>
    requireStatus(path(other), await clientIn(other).get(path(other)))
  const page =
    (path: string) =>
    async ({ browser }: Other) =>
      requireStatus(path, await browser.get(path))
  async function write(): Promise<void> {
    number += 1
    const name = `group ${number}`
    requireStatus('a write', await director.post('/v2/groups', { group: { name } }), 201)
    created.set(name, performance.now())
  }
  async function stream({ client }: Pick<Other, 'client'>, path = '/v2/groups', headers = {}): Promise<void> {
    const opened = await watch({ url, agent }, client, path, headers)
    try {
      requireStatus(`a stream of ${path}`, { status: opened.status, text: '' })
      const first = await opened.next()
      if (first?.event !== 'page') throw new Error(`a stream of ${path} without its first event`)
    } finally {
      opened.close()
    }
  }
  const pageStream = ({ browser }: Other) => {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return stream({ client: clientOf({ url, agent }) }, '/changes?of=/v2/groups', { cookie })
  }
  const requests: readonly ((other: Other) => Promise<void>)[] = [
    read(({ id }) => `/v2/users/${id}`),
    read(() => '/v2/users?page[size]=30'),
    write,
    page('/'),
    read(() => '/v2/me'),
    read(() => '/v2/projects?page[size]=10'),
    write,
    page('/search?q=a'),
    read(({ id }) => `/v2/users?filter[id]=${id}`),
    (other) => stream(other),
    read(({ login }) => `/v2/users/${login}`),
    write,
    pageStream,
  ]

  async function send(at: number, other: Other, due: number): Promise<void> {
    const work = requests[at % requests.length] as (typeof requests)[number]
    for (let attempt = 1; ; attempt += 1) {
      try {
        await work(other)
        milliseconds.push(performance.now() - due)
        return
      } catch (error) {
        const isRefused = error instanceof Refused && error.status !== 503
        if (isRefused || !('each' in pace) || attempt === ATTEMPTS) {
          failures.push(String(error))
          return
        }
        await wait(1_000)
      }
    }
  }
  if ('each' in pace) {
    const works = people.map(async (other, place) => {
      for (let at = 0; at < pace.each; at += 1) await send(place + at, other, performance.now())
    })
    await Promise.all(works)
  } else {
    const begun = performance.now()
    const running: Promise<void>[] = []
    for (let at = 0; at < pace.perSecond * pace.seconds; at += 1) {
      const due = begun + (at * 1000) / pace.perSecond
      await wait(Math.max(0, due - performance.now()))
      // Each person does a bit of everything.
      running.push(send(at, people[(at + Math.floor(at / people.length)) % people.length] as Other, due))
    }
    await Promise.all(running)
  }
  await agent.destroy()
  return { milliseconds: milliseconds.sort((one, other) => one - other), failures, created }
}

/** Returns the quantile of sorted numbers: 0.99 for the 99th percentile. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
