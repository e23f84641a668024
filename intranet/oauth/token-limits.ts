import { addressBlock } from '@campus/engine/base/address-block'
import { message } from '@campus/engine/base/languages/say'
import { tooManyRequests } from '@campus/engine/errors'
import { type CallingApplication, personOf } from '@campus/engine/http/caller'
import type { RateStore, Spent, Window } from '@campus/engine/http/rates/rate-store'
import { OAuthError, tooManyRegistrations, tooManyTokenRequests } from './oauth-errors.ts'

/** Sustained rate of token requests, and maximum burst. */
export type TokenRate = { readonly perSecond: number; readonly burst: number }

/** Seconds after which a burst is possible again. */
const BURST_SECONDS = 60
/** Rate of a confidential client, besides the rate of its network address. */
const SHARE: TokenRate = { perSecond: 1, burst: 2 }

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3600
/**
 * Tokens per hour for the owner of an application, for each token per second of the rate. An Official App may request a
 * token for each of its requests.
 */
const OWNER_SECONDS = 1200
/**
 * Tokens per hour for a user, for each token per second of the rate. It is lower, since refresh tokens are stored for a
 * month.
 */
const USER_SECONDS = 120
/** Authorization codes for a user per hour and minute, for each token per second of the rate. */
const CODE_SECONDS = { hour: 60, minute: 6 }
/** Tokens that each application may still get if the applications of a person have used up the person's limit. */
const APPLICATION_SHARE: readonly Window[] = [{ points: 30, seconds: HOUR_SECONDS }]
/** Maximum numbers of self-registrations from one address block, which a school may share, and from all addresses. */
const REGISTRATIONS = {
  ofAddress: [
    { points: 20, seconds: MINUTE_SECONDS },
    { points: 200, seconds: HOUR_SECONDS },
  ],
  ofAll: [{ points: 2000, seconds: HOUR_SECONDS }],
} as const satisfies Record<string, readonly Window[]>

type Person = { readonly kind: string; readonly person: string; readonly applicationId: number }

/**
 * Limits requests for tokens. An application counts by its secret, an authorization by its code or refresh token. An address
 * counts refusals and applications' own tokens, of which each application has a share, so that one person cannot shut out a
 * school behind the same address. Tokens also count toward a person across applications: toward the owner of an application
 * that acts for itself, else toward the user.
 */
export class TokenLimits {
  readonly #store: RateStore
  readonly #rate: TokenRate | undefined

  /** Without a rate, only self-registrations are limited. */
  constructor(store: RateStore, rate: TokenRate | undefined) {
    this.#store = store
    this.#rate = rate
  }

  /** Counts a request of an authenticated application. Throws 429. */
  async spendApplication(applicationId: number): Promise<void> {
    refuseIf(await this.#refusal(`tokens of application ${applicationId}`))
  }

  /** Counts a request for a client-credentials token toward the network address. Throws 429. */
  async spendClientToken(applicationId: number, address: string): Promise<void> {
    const refused = await this.#refusal(byAddress(address))
    if (refused && (await this.#refusal(`share of application ${applicationId}`, SHARE))) refuseIf(refused)
  }

  /** Counts a token of an application for itself toward its owner. Throws 429. */
  async spendOwner(application: CallingApplication): Promise<void> {
    refuseIf(await this.#refusalOfOwner(application))
  }

  /** Counts a token that an owner gets on a page. Throws 429 as pages do. */
  async spendOwnerOnPage(application: { readonly id: number; readonly ownerId: number }): Promise<void> {
    const refused = await this.#refusalOfOwner(application)
    if (!refused) return
    const seconds = waitSeconds(refused)
    const text = message('Your applications have asked for too many tokens. Try again in {seconds} s.', { seconds })
    throw tooManyRequests(text, seconds, 'tokens')
  }

  /** Counts an exchange of a code or refresh token toward its user. Throws 429. */
  async spendUser(userId: number, applicationId: number): Promise<void> {
    const person = { kind: 'tokens', person: `for user ${userId}`, applicationId }
    refuseIf(await this.#refusalOfPerson(person, (rate) => [minuteOf(rate), hourOf(rate, USER_SECONDS)]))
  }

  /** Counts an authorization code toward its user. Returns the seconds to wait if the user has had too many. */
  async spendCode(userId: number, applicationId: number): Promise<number | undefined> {
    const person = { kind: 'codes', person: `for user ${userId}`, applicationId }
    const refused = await this.#refusalOfPerson(person, (rate) => [
      { points: rate.perSecond * CODE_SECONDS.minute, seconds: MINUTE_SECONDS },
      hourOf(rate, CODE_SECONDS.hour),
    ])
    return refused && waitSeconds(refused)
  }

  #refusalOfOwner(application: Pick<CallingApplication, 'id' | 'ownerId'>): Promise<Spent | undefined> {
    const person = {
      kind: 'tokens',
      person: `of ${personOf({ resourceOwnerId: null, application })}`,
      applicationId: application.id,
    }
    return this.#refusalOfPerson(person, (rate) => [minuteOf(rate), hourOf(rate, OWNER_SECONDS)])
  }

  async #refusalOfPerson(
    { kind, person, applicationId }: Person,
    windows: (rate: TokenRate) => readonly Window[],
  ): Promise<Spent | undefined> {
    if (!this.#rate) return undefined
    const by = `${kind} ${person}`
    const spent = await this.#store.spend({ by, needs: 'every', windows: windows(this.#rate) })
    if (spent.refusedBy === undefined) return undefined
    const share = { by: `${by} by application ${applicationId}`, needs: 'every', windows: APPLICATION_SHARE } as const
    return (await this.#store.spend(share)).refusedBy === undefined ? undefined : spent
  }

  /** Counts a self-registration, even without a rate. Throws 429. */
  async spendRegistration(address: string): Promise<void> {
    for (const [by, windows] of [
      [`registrations from ${addressBlock(address)}`, REGISTRATIONS.ofAddress],
      ['registrations', REGISTRATIONS.ofAll],
    ] as const) {
      const spent = await this.#store.spend({ by, needs: 'every', windows })
      if (spent.refusedBy !== undefined) throw tooManyRegistrations(waitSeconds(spent))
    }
  }

  /** Counts an exchange by an application without a secret. Throws 429. */
  async spendFamily(familyId: number): Promise<void> {
    refuseIf(await this.#refusal(`tokens of family ${familyId}`))
  }

  /** Counts refusals of the protocol toward an address. Beyond the limit, throws 429 instead of the refusal. */
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

  async #refusal(by: string, rate = this.#rate): Promise<Spent | undefined> {
    if (!rate) return undefined
    const spent = await this.#store.spend({ by, needs: 'any', windows: windowsOf(rate) })
    return spent.refusedBy === undefined ? undefined : spent
  }
}

/** Returns the limits per second and per burst. */
const windowsOf = ({ perSecond, burst }: TokenRate): readonly Window[] => [
  { points: perSecond, seconds: 1 },
  { points: Math.max(0, burst - perSecond), seconds: BURST_SECONDS },
]

/** The limit per minute equals that of one application. */
const minuteOf = ({ perSecond, burst }: TokenRate): Window => ({
  points: perSecond * MINUTE_SECONDS + burst,
  seconds: MINUTE_SECONDS,
})

const hourOf = ({ perSecond }: TokenRate, seconds: number): Window => ({
  points: perSecond * seconds,
  seconds: HOUR_SECONDS,
})

const byAddress = (address: string) => `tokens of address ${addressBlock(address)}`

function refuseIf(refused: Spent | undefined): void {
  if (refused) throw tooManyTokenRequests(waitSeconds(refused))
}

const waitSeconds = ({ waitMilliseconds }: Spent) => Math.max(1, Math.ceil(waitMilliseconds / 1000))
