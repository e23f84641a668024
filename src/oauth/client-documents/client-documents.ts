import { LRUCache } from 'lru-cache'
import { addressBlock } from '../../base/address-block.ts'
import type { Clock } from '../../base/clock.ts'
import { message } from '../../base/languages/say.ts'
import type { RateStore, Window } from '../../http/rates/rate-store.ts'
import { ClientRefused, ClientUnavailable } from '../unregistered-clients.ts'
import { type ClientDocument, readDocument, readDocumentAddress } from './client-document.ts'
import { DocumentGone, type FetchDocument } from './fetch-document.ts'

const MAX_CACHED = 500
/** Maximum number of documents that a process fetches at a time, of which one person may cause ten. */
const MAX_READING = 64
const DEFAULT_CACHE_SECONDS = 300
const CACHE_SECONDS = { least: 60, most: 86_400 }
/** How long after it became stale a document is used while its host fails. */
const OUTAGE_SECONDS = 86_400
/** Documents that a person, and an address block, have fetched that are not cached. */
const OF_PERSON: readonly Window[] = [
  { points: 10, seconds: 60 },
  { points: 60, seconds: 3600 },
]
const OF_ADDRESS: readonly Window[] = [
  { points: 300, seconds: 60 },
  { points: 3000, seconds: 3600 },
]

/** The signed-in person who is asked about a client, and the address of their browser. */
type Asked = { readonly userId: number; readonly address: string }

type Dependencies = {
  readonly baseUrl: string
  readonly fetch: FetchDocument
  readonly rates: RateStore
  readonly clock: Clock
  /** Called with the reason why a document could not be fetched, which people are not shown. */
  readonly onFailure: (url: URL, error: unknown) => void
}

/** An error is cached, too, so that a document that cannot be used is not fetched at each attempt. */
type Entry = {
  readonly until: number
  readonly outcome: ClientDocument | ClientRefused
  /** How long the document may be used while its host fails. */
  readonly atMostUntil?: number
}

/** Reads client ID metadata documents through a cache of this process, at limited rates. */
export class ClientDocuments {
  readonly #dependencies: Dependencies
  readonly #cache = new LRUCache<string, Entry>({ max: MAX_CACHED })
  readonly #reading = new Map<string, Promise<Entry>>()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Returns the document that a client_id names. Throws ClientRefused. */
  async find(clientId: string, asked: Asked): Promise<ClientDocument> {
    const url = readDocumentAddress(clientId, this.#dependencies.baseUrl)
    const cached = this.#cache.get(url.href)
    const isFresh = cached !== undefined && cached.until > this.#dependencies.clock.now().getTime()
    const { outcome } = isFresh ? cached : await this.#readOnce(url, asked)
    if (outcome instanceof ClientRefused) throw outcome
    return outcome
  }

  /** People who ask for the same document wait for one request. */
  async #readOnce(url: URL, asked: Asked): Promise<Entry> {
    await this.#spend(asked)
    const running = this.#reading.get(url.href)
    if (running) return running
    if (this.#reading.size >= MAX_READING) throw unreadable(url)
    const reading = this.#read(url).finally(() => this.#reading.delete(url.href))
    this.#reading.set(url.href, reading)
    return reading
  }

  async #read(url: URL): Promise<Entry> {
    const { fetch, clock, onFailure } = this.#dependencies
    const until = (seconds: number) => clock.now().getTime() + seconds * 1000
    let entry: Entry
    try {
      const { text, maxAgeSeconds = DEFAULT_CACHE_SECONDS } = await fetch(url)
      const seconds = Math.min(Math.max(maxAgeSeconds, CACHE_SECONDS.least), CACHE_SECONDS.most)
      entry = { until: until(seconds), outcome: readDocument(url, text), atMostUntil: until(seconds + OUTAGE_SECONDS) }
    } catch (error) {
      if (!(error instanceof ClientRefused)) onFailure(url, error)
      entry = this.#afterFailure(url, error, until(CACHE_SECONDS.least))
    }
    this.#cache.set(url.href, entry)
    return entry
  }

  /** The last good document stands in for one whose host is away, but not for one that is gone or invalid. */
  #afterFailure(url: URL, error: unknown, until: number): Entry {
    if (error instanceof ClientRefused) return { until, outcome: error }
    const last = this.#cache.get(url.href)
    const { atMostUntil = 0 } = last ?? {}
    if (last && !(error instanceof DocumentGone) && this.#dependencies.clock.now().getTime() < atMostUntil)
      return { ...last, until: Math.min(until, atMostUntil) }
    return { until, outcome: unreadable(url) }
  }

  async #spend({ userId, address }: Asked): Promise<void> {
    const { rates } = this.#dependencies
    for (const [by, windows] of [
      [`client documents of user ${userId}`, OF_PERSON],
      [`client documents of address ${addressBlock(address)}`, OF_ADDRESS],
    ] as const) {
      const { refusedBy, waitMilliseconds } = await rates.spend({ by, needs: 'every', windows })
      if (refusedBy === undefined) continue
      const seconds = Math.max(1, Math.ceil(waitMilliseconds / 1000))
      throw new ClientUnavailable(
        message('Too many new applications have asked to act for you. Try again in {seconds} s.', { seconds }),
      )
    }
  }
}

/** The same for each reason, so that nobody learns what is at an address. */
const unreadable = ({ host }: URL) =>
  new ClientUnavailable(
    message('The client metadata document at {host} cannot be read. Try again in a minute.', { host }),
  )
