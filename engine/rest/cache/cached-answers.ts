import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import type { Changes } from '../../database/changes.ts'
import { SharedWork } from '../../database/turns.ts'
import { compressOnce } from '../../http/compress.ts'
import type { Answer, Dependencies } from '../answer.ts'
import { type EncodedAnswer, encodeAnswer } from '../encoded-answer.ts'
import type { AnswerKey } from './answer-key.ts'

export type CacheFigures = {
  readonly hits: number
  readonly misses: number
  readonly evictions: number
  readonly bytes: number
  readonly entries: number
}

type Entry = { readonly answer: EncodedAnswer; readonly dependsOn: Dependencies }

type CacheDependencies = { readonly changes: Changes; readonly clock: Clock; readonly maxBytes: number }

const ENTRY_BYTES = 1_000
const WITH_CODINGS = 1.5
const MAX_SHARE = 1 / 8
const MAX_UNCACHEABLE = 1_000
const MAX_UNCACHEABLE_LENGTH = 500

/**
 * Caches responses until a dependency changes, and evicts the least recently used first. Concurrent requests for a
 * response share one read. A request sees every write acknowledged before it began: it waits for a validation
 * (`Changes.validate`) sent after it came, and uses a cached response only if no dependency has changed since before
 * the first statement of its read.
 */
export class CachedAnswers {
  readonly #changes: Changes
  readonly #clock: Clock
  readonly #entries: LRUCache<string, Entry>
  readonly #reads = new Map<string, SharedWork<EncodedAnswer>>()
  /** Keys of uncacheable responses, so that no request waits for the read of another. */
  readonly #uncacheable = new LRUCache<string, true>({ max: MAX_UNCACHEABLE })
  #hits = 0
  #misses = 0
  #evictions = 0

  constructor({ changes, clock, maxBytes }: CacheDependencies) {
    this.#changes = changes
    this.#clock = clock
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: Math.floor(maxBytes * MAX_SHARE),
      sizeCalculation: ({ answer: { bytes } }, key) =>
        ENTRY_BYTES + key.length + Math.ceil(WITH_CODINGS * (bytes?.length ?? 0)),
      dispose: (_entry, _key, reason) => {
        if (reason === 'evict') this.#evictions += 1
      },
    })
  }

  get figures(): CacheFigures {
    const { size: entries, calculatedSize: bytes } = this.#entries
    return { hits: this.#hits, misses: this.#misses, evictions: this.#evictions, bytes, entries }
  }

  /** Returns the cached response, or reads it. Call it after `changes.validate()`. */
  async answer(key: AnswerKey, read: () => Promise<Answer>): Promise<EncodedAnswer> {
    let cached = this.#find(key)
    const pending = cached ? undefined : this.#reads.get(key.viewer + key.address)
    if (pending?.join()) {
      // The read may have begun before this request. If a table changed since, `#find` rejects its result. If the read
      // fails, waiting requests read on their own.
      await pending.result.catch(() => {})
      cached = this.#find(key)
    }
    if (!cached) return this.#read(key, read)
    this.#hits += 1
    return cached
  }

  #find({ address, viewer, caller }: AnswerKey): EncodedAnswer | undefined {
    return this.#fresh(viewer + address) ?? (caller === viewer ? undefined : this.#fresh(caller + address))
  }

  #fresh(key: string): EncodedAnswer | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    if (this.#isFresh(entry.dependsOn)) return entry.answer
    this.#entries.delete(key)
    return undefined
  }

  #isFresh({ names, since, until }: Dependencies): boolean {
    if (until !== undefined && this.#clock.now().getTime() >= until) return false
    return !this.#changes.haveChangedSince(names, since)
  }

  async #read(key: AnswerKey, read: () => Promise<Answer>): Promise<EncodedAnswer> {
    this.#misses += 1
    const common = key.viewer + key.address
    if (this.#uncacheable.get(common)) return encodeAnswer(await read())
    const reading = new SharedWork(async () => {
      const answer = await read()
      const encoded = encodeAnswer(answer)
      this.#store(key, encoded, answer.dependsOn)
      return encoded
    })
    this.#reads.set(common, reading)
    try {
      return await reading.result
    } finally {
      if (this.#reads.get(common) === reading) this.#reads.delete(common)
    }
  }

  #store(key: AnswerKey, answer: EncodedAnswer, dependsOn: Dependencies | undefined): void {
    const common = key.viewer + key.address
    if (!dependsOn) {
      if (common.length <= MAX_UNCACHEABLE_LENGTH) this.#uncacheable.set(common, true)
      return
    }
    // A stale response would only evict others.
    if (!this.#isFresh(dependsOn)) return
    const entry = { answer: { ...answer, bytes: answer.bytes && compressOnce(outsidePool(answer.bytes)) }, dependsOn }
    this.#entries.set(dependsOn.isForCaller ? key.caller + key.address : common, entry)
  }
}

/** Copies a small buffer, which would keep a larger one in memory. */
const outsidePool = (bytes: Buffer): Buffer =>
  bytes.buffer.byteLength === bytes.length ? bytes : Buffer.from(new Uint8Array(bytes).buffer)
