import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '@campus/engine/base/clock'
import { HttpError } from '@campus/engine/errors'
import { LRUCache } from 'lru-cache'
import type { Sealer } from '../sealing/sealer.ts'

/** About 2 MB. */
const REMEMBERED = 5_000

type LinkDependencies = {
  readonly sealer: Sealer
  readonly clock: Clock
  readonly baseUrl: string
  readonly linkHours: number
}

/** Signs addresses that open without a token until they expire. */
export class FileLinks {
  readonly #sealer: Sealer
  readonly #clock: Clock
  readonly #baseUrl: string
  readonly #windowSeconds: number
  /** Signed addresses: a list of projects has hundreds, the same in each answer. */
  readonly #signed = new LRUCache<string, string>({ max: REMEMBERED })
  #signedUntil = 0

  constructor({ sealer, clock, baseUrl, linkHours }: LinkDependencies) {
    this.#sealer = sealer
    this.#clock = clock
    this.#baseUrl = baseUrl
    this.#windowSeconds = linkHours * 3600
  }

  /**
   * Returns an address of a path below `base` that is valid for at least the configured hours and at most twice as long. It
   * changes only when a period of these hours ends, so that browsers can cache the file.
   */
  sign(path: string, base = this.#baseUrl): string {
    const expires = this.#windowEnd() + this.#windowSeconds
    if (expires !== this.#signedUntil) this.#signed.clear()
    this.#signedUntil = expires
    const known = this.#signed.get(base + path)
    if (known !== undefined) return known
    const address = `${base}${path}?expires=${expires}&signature=${this.#signature(path, expires)}`
    this.#signed.set(base + path, address)
    return address
  }

  /** Returns until when a path keeps its address, in milliseconds. */
  signedUntil(): number {
    return this.#windowEnd() * 1000
  }

  /** Returns the remaining seconds of an address. Throws 403 if it is invalid or expired. */
  check(path: string, { expires, signature }: Readonly<Record<string, unknown>>): number {
    const until = typeof expires === 'string' && /^[1-9]\d{0,11}$/.test(expires) ? Number(expires) : Number.NaN
    const given = Buffer.from(typeof signature === 'string' ? signature : '')
    const right = Buffer.from(this.#signature(path, until))
    if (given.length !== right.length || !timingSafeEqual(given, right)) {
      throw new HttpError(403, 'This address is not one that the service gave: take it whole from a record.')
    }
    const left = until - Math.floor(this.#clock.now().getTime() / 1000)
    if (left <= 0) throw new HttpError(403, 'This address has expired: read the record again for a new one.')
    return left
  }

  #windowEnd(): number {
    const seconds = Math.floor(this.#clock.now().getTime() / 1000)
    return (Math.floor(seconds / this.#windowSeconds) + 1) * this.#windowSeconds
  }

  /** Signs the decoded path, since clients may encode it differently. */
  #signature(path: string, expires: number): string {
    return this.#sealer.sign(`${decodePath(path)} ${expires}`)
  }
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
