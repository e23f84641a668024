import { type FilledMessage, message } from '../base/languages/say.ts'
import { accessDenied, type HttpError, tooManyRequests } from '../errors.ts'
import { type Caller, type CallingApplication, personOf } from './caller.ts'
import type { RateStore, Spent, Window } from './rates/rate-store.ts'

export type RateState = {
  readonly hourlyLimit: number
  readonly hourlyRemaining: number
  readonly secondlyLimit: number
  readonly secondlyRemaining: number
}

/** The unused default rate, which is shown without an application (spec: rates 4). */
export const DEFAULT_RATE: RateState = {
  hourlyLimit: 1200,
  hourlyRemaining: 1200,
  secondlyLimit: 2,
  secondlyRemaining: 2,
}

const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400

/** Records that a user without a role may create in an hour, through all applications and pages together. */
const CREATIONS_PER_HOUR = 1_200
/** Profile pictures that a user may send in a day. A picture is stored as twelve files for a day or longer. */
const PICTURES_PER_DAY = 100

/** Records of a whole list that cost one request, as much as ten full pages. */
const RECORDS_PER_REQUEST = 1_000
const CONCURRENT_SPENDS = 100
const LIST_RETRY_SECONDS = 600

/** Messages per call of the rate. */
const MESSAGES = 10

/** Counts each application's requests per second and per hour (spec: rates 1, 2). */
export class RateLimits {
  readonly #store: RateStore

  constructor(store: RateStore) {
    this.#store = store
  }

  /** Spends a request of the application's or user's rate. A call beyond the rate per second spends nothing of the hour. Throws 429. */
  async spend(
    application: CallingApplication,
    onState: (state: RateState) => void,
    userId: number | null = null,
  ): Promise<void> {
    const { ratePerSecond, ratePerHour } = application
    const by = keyOf(application, userId)
    const spent = await this.#store.spend({ ...windowsOf(application), by, needs: 'every' })
    onState(stateOf(application, spent))
    if (spent.refusedBy === 0) throw tooMany('second', 'Spam Rate Limit Exceeded', `${ratePerSecond} a second`, spent)
    if (spent.refusedBy === 1) throw tooMany('hour', 'Rate Limit Exceeded', `${ratePerHour} an hour`, spent)
  }

  /** Counts a message of a protocol that is not a call, at ten times the application's rate. Throws 429. */
  async spendMessage(application: CallingApplication, userId: number | null): Promise<void> {
    const { id, ratePerSecond, ratePerHour } = application
    const windows = windowsOf({ id, ratePerSecond: ratePerSecond * MESSAGES, ratePerHour: ratePerHour * MESSAGES })
    const by = `messages of ${keyOf(application, userId)}`
    const spent = await this.#store.spend({ ...windows, by, needs: 'every' })
    if (spent.refusedBy !== undefined)
      throw tooMany('messages', 'Too Many Messages', `${ratePerSecond * MESSAGES} a second`, spent)
  }

  /** Counts a record that a user creates without a role. Throws 429. */
  async spendCreation(userId: number): Promise<void> {
    const window = { points: CREATIONS_PER_HOUR, seconds: HOUR_SECONDS }
    await this.#spendOfPerson(`records of user ${userId}`, window, 'creations', (wait) =>
      message('A person may create {most} records an hour through all applications together. Try again in {wait}.', {
        most: CREATIONS_PER_HOUR,
        wait,
      }),
    )
  }

  async spendPicture(userId: number): Promise<void> {
    const window = { points: PICTURES_PER_DAY, seconds: DAY_SECONDS }
    await this.#spendOfPerson(`pictures of user ${userId}`, window, 'pictures', (wait) =>
      message('A person may send {most} pictures a day. Try again in {wait}.', { most: PICTURES_PER_DAY, wait }),
    )
  }

  /** Counts one MiB of uploads for a person. Throws 429 beyond `mebibytesPerDay`. */
  async spendUpload(person: number, mebibytesPerDay: number): Promise<void> {
    const window = { points: mebibytesPerDay, seconds: DAY_SECONDS }
    await this.#spendOfPerson(`uploads of person ${person}`, window, 'upload_bytes', (wait) =>
      message('A person may upload {most} MiB a day through all applications and pages. Try again in {wait}.', {
        most: mebibytesPerDay,
        wait,
      }),
    )
  }

  /**
   * Spends a request for each 1,000 records of a whole list. A list for a person spends requests of an hour that all applications of the
   * person share, and none of the application's own. A list for the application itself spends both. Throws 429 if too few are left, and
   * 403 if the list costs more than a full hour.
   */
  async spendList({ application, resourceOwnerId, records }: WholeList): Promise<void> {
    const { id, ratePerHour } = application
    const cost = Math.ceil(records / RECORDS_PER_REQUEST)
    if (cost > ratePerHour)
      throw accessDenied(
        message(
          'The list has {records} records and costs {cost} requests, and this application may make {most} an hour. Narrow the list with `filter` or `range`.',
          { records, cost, most: ratePerHour },
        ),
      )
    const windows = [{ points: ratePerHour, seconds: HOUR_SECONDS }]
    const ofPerson = `whole lists of person ${personOf({ application, resourceOwnerId })}`
    const counted = resourceOwnerId === null ? [`application ${id}`, ofPerson] : [ofPerson]
    for (const by of counted) await this.#requireLeft(by, windows, cost)
    for (const by of counted) await this.#spendTimes(by, windows, cost)
  }

  async #requireLeft(by: string, windows: readonly Window[], cost: number): Promise<void> {
    const [left = 0] = (await this.#store.spend({ by, needs: 'nothing', windows })).left
    if (left >= cost) return
    throw tooManyRequests(
      message(
        'The list costs {cost} requests, and {left} are left in this hour. Narrow the list with `filter` or `range`, or try again later.',
        { cost, left },
      ),
      LIST_RETRY_SECONDS,
      'hour',
    )
  }

  async #spendTimes(by: string, windows: readonly Window[], times: number): Promise<void> {
    for (let spent = 0; spent < times; spent += CONCURRENT_SPENDS) {
      const length = Math.min(CONCURRENT_SPENDS, times - spent)
      await Promise.all(Array.from({ length }, () => this.#store.spend({ by, needs: 'every', windows })))
    }
  }

  async look(application: RatedApplication): Promise<RateState> {
    return stateOf(application, await this.#store.spend({ ...windowsOf(application), needs: 'nothing' }))
  }

  async #spendOfPerson(by: string, window: Window, reason: string, refusal: (wait: FilledMessage) => FilledMessage) {
    const spent = await this.#store.spend({ by, needs: 'every', windows: [window] })
    if (spent.refusedBy === undefined) return
    const { seconds, wait } = waitOf(spent)
    throw tooManyRequests(refusal(wait), seconds, reason)
  }
}

type WholeList = Pick<Caller, 'application' | 'resourceOwnerId'> & { readonly records: number }

type RatedApplication = Pick<CallingApplication, 'id' | 'ratePerSecond' | 'ratePerHour'>

const windowsOf = ({ id, ratePerSecond, ratePerHour }: RatedApplication) => ({
  by: `application ${id}`,
  windows: [
    { points: ratePerSecond, seconds: 1, isPaced: true },
    { points: ratePerHour, seconds: HOUR_SECONDS },
  ],
})

/** Applications that are rated by user share a key, so that more applications give a user no more calls. */
const keyOf = ({ id, isRatedByUser = false }: CallingApplication, userId: number | null) =>
  isRatedByUser && userId !== null ? `applications rated by user ${userId}` : `application ${id}`

function stateOf({ ratePerSecond, ratePerHour }: RatedApplication, { left }: Spent): RateState {
  const [secondlyRemaining = 0, hourlyRemaining = 0] = left
  return { hourlyLimit: ratePerHour, hourlyRemaining, secondlyLimit: ratePerSecond, secondlyRemaining }
}

function waitOf({ waitMilliseconds }: Spent) {
  const seconds = Math.max(1, Math.ceil(waitMilliseconds / 1000))
  return { seconds, wait: durationText(seconds) }
}

function durationText(seconds: number): FilledMessage {
  if (seconds > HOUR_SECONDS) return message('{hours} hours', { hours: Math.ceil(seconds / HOUR_SECONDS) })
  return seconds === 1 ? message('1 second') : message('{seconds} seconds', { seconds })
}

function tooMany(reason: string, name: string, rate: string, spent: Spent): HttpError {
  const { seconds, wait } = waitOf(spent)
  return tooManyRequests(
    message('429 Too Many Requests ({name}): this application may make {rate}. Try again in {wait}.', {
      name,
      rate,
      wait,
    }),
    seconds,
    reason,
  )
}
