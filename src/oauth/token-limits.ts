import { addressBlock } from '../base/address-block.ts'
import type { RateStore, Spent, Window } from '../http/rates/rate-store.ts'
import { OAuthError, tooManyTokenRequests } from './oauth-errors.ts'

/** How often tokens may be asked for: so many a second, and at most so many at once. */
export type TokenRate = { readonly perSecond: number; readonly burst: number }

/** The seconds after which a burst is possible again. */
const BURST_SECONDS = 60
/** What an application that proves itself has beside its address, which it may share with others. */
const SHARE: TokenRate = { perSecond: 1, burst: 2 }

/**
 * Limits requests for tokens. What proves itself counts for itself: an application with its secret, an
 * authorization with its code or refresh token. Addresses are limited in what proves nothing and in applications' own tokens,
 * and an application has a share of its own there. So a school behind one address is not shut out by one of its people.
 */
export class TokenLimits {
  readonly #store: RateStore
  readonly #rate: TokenRate | undefined

  /** Without a rate nothing is limited. */
  constructor(store: RateStore, rate: TokenRate | undefined) {
    this.#store = store
    this.#rate = rate
  }

  /** Counts a request of an application that has proved itself with its secret. Throws 429. */
  async spendApplication(applicationId: number): Promise<void> {
    refuseIf(await this.#refusal(`tokens of application ${applicationId}`))
  }

  /** Counts a request of such an application for a token of its own where it comes from, too. Throws 429. */
  async spendClientToken(applicationId: number, address: string): Promise<void> {
    const refused = await this.#refusal(byAddress(address))
    if (refused && (await this.#refusal(`share of application ${applicationId}`, SHARE))) refuseIf(refused)
  }

  /** Counts what is exchanged of an authorization by an application without a secret. Throws 429. */
  async spendFamily(familyId: number): Promise<void> {
    refuseIf(await this.#refusal(`tokens of family ${familyId}`))
  }

  /** Counts the work for an address where it ends with a refusal that the protocol has. Throws 429 instead of it then. */
  async countRefusals<T>(address: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof OAuthError && error.status !== 429) {
        refuseIf(await this.#refusal(byAddress(address)))
      }
      throw error
    }
  }

  /** Undefined where there is room. */
  async #refusal(by: string, rate = this.#rate): Promise<Spent | undefined> {
    if (!rate) return undefined
    const spent = await this.#store.spend({ by, needs: 'any', windows: windowsOf(rate) })
    return spent.refusedBy === undefined ? undefined : spent
  }
}

/** A second's worth, and beyond it what a burst has. */
const windowsOf = ({ perSecond, burst }: TokenRate): readonly Window[] => [
  { points: perSecond, seconds: 1 },
  { points: Math.max(0, burst - perSecond), seconds: BURST_SECONDS },
]

const byAddress = (address: string) => `tokens of address ${addressBlock(address)}`

function refuseIf(refused: Spent | undefined): void {
  if (refused) throw tooManyTokenRequests(Math.max(1, Math.ceil(refused.waitMilliseconds / 1000)))
}
