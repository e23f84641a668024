import { addressBlock } from '@campus/engine/base/address-block'
import type { Clock } from '@campus/engine/base/clock'
import { message } from '@campus/engine/base/languages/say'
import type { RateStore, Window } from '@campus/engine/http/rates/rate-store'
import { LRUCache } from 'lru-cache'
import { ClientRefused, ClientUnavailable } from '../unregistered-clients.ts'
import { type ClientDocument, readDocument, readDocumentAddress } from './client-document.ts'
import { DocumentGone, type FetchDocument } from './fetch-document.ts'

const MAX_CACHED = 500
/** Maximum number of concurrent fetches of a process. PERSON_WINDOWS lets one person cause ten. */
const MAX_FETCHES = 64
const DEFAULT_CACHE_SECONDS = 300
const CACHE_SECONDS = { least: 60, most: 86_400 }
/** Time for which a stale document is used while its host fails. */
const STALE_IF_ERROR_SECONDS = 86_400
/** Maximum number of fetches for one person. A cached document costs none. */
const PERSON_WINDOWS: readonly Window[] = [
  { points: 10, seconds: 60 },
  { points: 60, seconds: 3600 },
]
/** Maximum number of fetches for one address block, which many people may share. */
const ADDRESS_WINDOWS: readonly Window[] = [
  { points: 300, seconds: 60 },
  { points: 3000, seconds: 3600 },
]

/** The signed-in person and the IP address of their browser. */
type Requester = { readonly userId: number; readonly address: string }

type Dependencies = {
  readonly baseUrl: string
  readonly fetch: FetchDocument
  readonly rates: RateStore
  readonly clock: Clock
  /** Receives the error of each failed fetch, which people are not shown. */
  readonly onFailure: (url: URL, error: unknown) => void
}

/** A cached document or error. Errors are cached so that an unusable document is not fetched at each attempt. */
type Entry = {
  readonly freshUntil: number
  readonly outcome: ClientDocument | ClientRefused
  /** Time until which the document is used while its host fails. */
  readonly usableUntil?: number
}

/** Reads client ID metadata documents through a cache of this process, at limited rates. */
export class ClientDocuments {
  readonly #dependencies: Dependencies
  readonly #cache = new LRUCache<string, Entry>({ max: MAX_CACHED })
  readonly #fetches = new Map<string, Promise<Entry>>()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Returns the document that a client_id names. Throws ClientRefused. */
  async find(clientId: string, requester: Requester): Promise<ClientDocument> {
    const url = readDocumentAddress(clientId, this.#dependencies.baseUrl)
    const cached = this.#cache.get(url.href)
    const isFresh = cached !== undefined && cached.freshUntil > this.#dependencies.clock.now().getTime()
    const { outcome } = isFresh ? cached : await this.#fetchOnce(url, requester)
    if (outcome instanceof ClientRefused) throw outcome
    return outcome
  }

  /** Fetches a document once for concurrent calls. */
  async #fetchOnce(url: URL, requester: Requester): Promise<Entry> {
    await this.#spend(requester)
    const running = this.#fetches.get(url.href)
    if (running) return running
    if (this.#fetches.size >= MAX_FETCHES) throw unreadable(url)
    const started = this.#fetch(url).finally(() => this.#fetches.delete(url.href))
    this.#fetches.set(url.href, started)
    return started
  }

  async #fetch(url: URL): Promise<Entry> {
    const { fetch, clock, onFailure } = this.#dependencies
    const timeIn = (seconds: number) => clock.now().getTime() + seconds * 1000
    let entry: Entry
    try {
      const { text, maxAgeSeconds = DEFAULT_CACHE_SECONDS } = await fetch(url)
      const seconds = Math.min(Math.max(maxAgeSeconds, CACHE_SECONDS.least), CACHE_SECONDS.most)
      entry = {
        freshUntil: timeIn(seconds),
        outcome: readDocument(url, text),
        usableUntil: timeIn(seconds + STALE_IF_ERROR_SECONDS),
      }
    } catch (error) {
      if (!(error instanceof ClientRefused)) onFailure(url, error)
      entry = this.#afterFailure(url, error, timeIn(CACHE_SECONDS.least))
    }
    this.#cache.set(url.href, entry)
    return entry
  }

  /** Returns the cached document if its host fails, or an error if the document is gone, invalid or too stale. */
  #afterFailure(url: URL, error: unknown, freshUntil: number): Entry {
    if (error instanceof ClientRefused) return { freshUntil, outcome: error }
    const cached = this.#cache.get(url.href)
    const { usableUntil = 0 } = cached ?? {}
    if (cached && !(error instanceof DocumentGone) && this.#dependencies.clock.now().getTime() < usableUntil)
      return { ...cached, freshUntil: Math.min(freshUntil, usableUntil) }
    return { freshUntil, outcome: unreadable(url) }
  }

  async #spend({ userId, address }: Requester): Promise<void> {
    const { rates } = this.#dependencies
    for (const [by, windows] of [
      [`client documents of user ${userId}`, PERSON_WINDOWS],
      [`client documents of address ${addressBlock(address)}`, ADDRESS_WINDOWS],
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

/** The error gives no reason, so that nobody can probe an address with it. */
const unreadable = ({ host }: URL) =>
  new ClientUnavailable(
    message('The client metadata document at {host} cannot be read. Try again in a minute.', { host }),
  )
