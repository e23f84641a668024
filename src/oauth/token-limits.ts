import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { addressBlock } from '../address-block.ts'
import { OAuthError, tooManyTokenRequests } from './oauth-errors.ts'

/** How often tokens may be asked for: so many a second, and at most so many at once. */
export type TokenRate = { readonly perSecond: number; readonly burst: number }

/** The seconds after which a burst is possible again. */
const BURST_SECONDS = 60
/** What an application that proves itself has beside its address, which it may share with others. */
const SHARE: TokenRate = { perSecond: 1, burst: 2 }

/**
 * Limits requests for tokens, in each process. What proves itself counts for itself: an application with its secret, an
 * authorization with its code or refresh token. Addresses are limited in what proves nothing and in applications' own tokens,
 * and an application has a share of its own there. So a school behind one address is not shut out by one of its people.
 */
export class TokenLimits {
  readonly #applications: BurstyRateLimiter | undefined
  readonly #families: BurstyRateLimiter | undefined
  readonly #addresses: BurstyRateLimiter | undefined
  readonly #shares: BurstyRateLimiter | undefined

  /** Without a rate nothing is limited. */
  constructor(rate: TokenRate | undefined) {
    if (!rate) return
    this.#applications = limiterOf('application', rate)
    this.#families = limiterOf('family', rate)
    this.#addresses = limiterOf('address', rate)
    this.#shares = limiterOf('share', SHARE)
  }

  /** Counts a request of an application that has proved itself with its secret. Throws 429. */
  async spendApplication(applicationId: number): Promise<void> {
    refuseIf(await consume(this.#applications, String(applicationId)))
  }

  /** Counts a request of such an application for a token of its own where it comes from, too. Throws 429. */
  async spendOwnToken(applicationId: number, address: string): Promise<void> {
    const refused = await consume(this.#addresses, addressBlock(address))
    if (refused && (await consume(this.#shares, String(applicationId)))) refuseIf(refused)
  }

  /** Counts what is exchanged of an authorization by an application without a secret. Throws 429. */
  async spendFamily(familyId: number): Promise<void> {
    refuseIf(await consume(this.#families, String(familyId)))
  }

  /** Counts the work for an address where it ends with a refusal that the protocol has. Throws 429 instead of it then. */
  async countRefusals<T>(address: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof OAuthError && error.status !== 429) {
        refuseIf(await consume(this.#addresses, addressBlock(address)))
      }
      throw error
    }
  }
}

function limiterOf(name: string, { perSecond, burst }: TokenRate): BurstyRateLimiter {
  const second = new RateLimiterMemory({ keyPrefix: name, points: perSecond, duration: 1 })
  const more = { keyPrefix: `${name} burst`, points: Math.max(0, burst - perSecond), duration: BURST_SECONDS }
  return new BurstyRateLimiter(second, new RateLimiterMemory(more))
}

/** Undefined where there is room. */
async function consume(limiter: BurstyRateLimiter | undefined, key: string): Promise<RateLimiterRes | undefined> {
  try {
    await limiter?.consume(key)
    return undefined
  } catch (error) {
    if (error instanceof RateLimiterRes) return error
    throw error
  }
}

function refuseIf(refused: RateLimiterRes | undefined): void {
  if (refused) throw tooManyTokenRequests(Math.max(1, Math.ceil(refused.msBeforeNext / 1000)))
}
