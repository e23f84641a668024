import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { isDatabaseAway } from '../database/errors.ts'
import { repeatWork } from '../database/repeat-work.ts'
import type { Sealer } from '../sealer.ts'
import { writeDown } from './finish.ts'
import { Lanes } from './lanes.ts'
import type { Chance } from './schedule.ts'
import type { Sealing } from './sealing.ts'
import { ALIVE_SECONDS, sayAlive, sayGone } from './sealing-keys.ts'
import { nextCallAt, readTargets, takeCalls } from './take-calls.ts'
import type { Transport } from './transport.ts'
import { type TakenCall, type Target, type Tried, tryCall } from './try-call.ts'

type Dependencies = {
  readonly database: Database
  readonly clock: Clock
  /** Opens the secrets of the endpoints. */
  readonly secrets: Sealer
  readonly sealing: Sealing
  readonly transport: Transport
  /** Calls to one endpoint at a time. */
  readonly connections: number
  readonly log?: Pick<FastifyBaseLogger, 'debug' | 'warn' | 'error'>
  readonly chance?: Chance
  /** Hears of every try. */
  readonly onTried?: (tried: Tried) => void
  readonly stopGraceMs?: number
}

/** Longer than any call takes: whoever holds a call for longer has died. */
const LEASE_MS = 30_000
/** A call must be able to end before its lease does. */
const LEAST_LEASE_MS = 16_000
/** Short, so that what ended together is written down together, and long calls are not waited for. */
const GATHER_MS = 4
const LOOK_AGAIN_MS = { least: 200, most: 30_000 }
const AFTER_ERROR_MS = 1_000
const SAY_ALIVE_MS = 10_000
const STOP_GRACE_MS = 8_000

/**
 * Makes the calls that are due, from the rows of `deliveries`. Any number of processes may do so on one database. Only
 * taking calls and writing down what came of them touch the database, for many calls at once, and neither while one runs.
 */
export class CallSender {
  readonly #dependencies: Dependencies
  readonly #lease = randomUUID()
  readonly #stopping = new AbortController()
  readonly #giveBack = new AbortController()
  readonly #lanes: Lanes
  #tried: Tried[] = []
  #targets: ReadonlyMap<number, Target> = new Map()
  #targetsVersion: number | undefined
  #loop: Promise<void> | undefined
  #wake = () => {}
  #isAwake = false
  #stopListening: (() => void)[] = []
  #stopSayingAlive = async () => {}

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    this.#lanes = new Lanes(dependencies.connections)
  }

  /** Begins, and goes on until `stop`. */
  start(): void {
    const { changes } = this.#dependencies.database
    const wake = () => this.#rouse()
    this.#stopListening = [changes.listen('deliveries', wake), changes.listen('endpoints', wake)]
    this.#stopSayingAlive = this.#keepAlive()
    this.#loop = this.#run()
  }

  /** Makes every call that is due by the clock, and resolves when none is left. For senders that were not started. */
  async settle(): Promise<void> {
    for (;;) {
      if (await this.#round()) continue
      if (this.#lanes.isIdle && this.#tried.length === 0) return
      await this.#sleep(AFTER_ERROR_MS)
    }
  }

  /** Takes no more calls. */
  pause(): void {
    this.#stopping.abort()
    this.#rouse()
  }

  /** Lets running calls end, for a few seconds; what is not done by then is given back, as if untried. */
  async stop(): Promise<void> {
    this.pause()
    for (const stopListening of this.#stopListening) stopListening()
    const timer = setTimeout(() => this.#giveBack.abort(), this.#dependencies.stopGraceMs ?? STOP_GRACE_MS)
    await Promise.all([this.#loop, this.#stopSayingAlive()])
    clearTimeout(timer)
    const { transport, database, sealing } = this.#dependencies
    await transport.close()
    if (this.#loop) await sayGone(database, sealing).catch(() => {})
  }

  async #run(): Promise<void> {
    const { log, database } = this.#dependencies
    while (!(this.#isStopping && this.#lanes.isIdle && this.#tried.length === 0)) {
      try {
        if (await this.#round()) await sleep(GATHER_MS)
        else await this.#sleep(await this.#pauseMs())
      } catch (error) {
        if (!isDatabaseAway(error)) log?.error({ err: error }, 'outgoing calls wait for the database')
        if (this.#isStopping) return
        await sleep(AFTER_ERROR_MS)
        await database.untilBack(this.#stopping.signal)
      }
    }
  }

  /** Writes down what has ended and takes what is due. Tells whether there was anything of either. */
  async #round(): Promise<boolean> {
    this.#isAwake = false
    const { database } = this.#dependencies
    const tried = this.#tried.splice(0)
    const writing = tried.length > 0 ? writeDown(database, this.#lease, tried) : undefined
    // Whichever fails, the other's outcome counts.
    const [written, taken] = await Promise.allSettled([writing, this.#isStopping ? [] : this.#take()])
    if (written.status === 'rejected') this.#tried.unshift(...tried)
    if (taken.status === 'fulfilled') for (const call of taken.value) this.#lanes.add(call)
    if (this.#isStopping) this.#giveBackWaiting()
    else this.#startCalls()
    for (const outcome of [written, taken]) if (outcome.status === 'rejected') throw outcome.reason
    return tried.length > 0 || (taken.status === 'fulfilled' && taken.value.length > 0)
  }

  #giveBackWaiting(): void {
    for (const { id, endpointId } of this.#lanes.drain()) this.#hand({ kind: 'given back', id, endpointId })
  }

  async #take(): Promise<TakenCall[]> {
    const { database, clock, sealing } = this.#dependencies
    const targets = await this.#activeTargets()
    const room = this.#lanes.room([...targets.keys()])
    if (room.size === 0) return []
    const now = clock.now()
    const leasedUntil = new Date(now.getTime() + LEASE_MS)
    const mayBeSilent = database.wasAwayWithin(ALIVE_SECONDS * 1000)
    return takeCalls(database, { now, lease: this.#lease, leasedUntil, room, sealingId: sealing.id, mayBeSilent })
  }

  /** Read again only when a row of the table has changed. */
  async #activeTargets(): Promise<ReadonlyMap<number, Target>> {
    const { database, secrets } = this.#dependencies
    const version = database.changes.versionOf(['endpoints'])
    if (version !== this.#targetsVersion) {
      this.#targets = await readTargets(database, secrets)
      this.#targetsVersion = version
    }
    return this.#targets
  }

  #startCalls(): void {
    for (let call = this.#lanes.next(); call; call = this.#lanes.next()) void this.#make(call)
  }

  async #make(call: TakenCall): Promise<void> {
    const { clock, log, chance = Math.random, ...dependencies } = this.#dependencies
    const { id, endpointId } = call
    const target = this.#targets.get(endpointId)
    const hasTime = call.leasedUntil.getTime() - clock.now().getTime() >= LEAST_LEASE_MS
    const begun = performance.now()
    const tried: Tried =
      target && hasTime && !this.#isStopping
        ? await tryCall(call, target, { ...dependencies, clock, chance, giveBack: this.#giveBack.signal })
        : { kind: 'given back', id, endpointId }
    this.#lanes.ended(endpointId, tried.kind === 'tried' ? performance.now() - begun : undefined)
    if (tried.kind === 'tried') {
      const { status, error, milliseconds, verdict } = tried
      const line = { delivery: id, endpoint: endpointId, event: call.event, state: verdict.state, status, milliseconds }
      if (verdict.state === 'delivered') log?.debug(line, 'campus told')
      else log?.warn({ ...line, reason: error, tries: call.tries + 1 }, 'campus not told')
      this.#dependencies.onTried?.(tried)
    }
    this.#hand(tried)
    this.#startCalls()
  }

  #hand(tried: Tried): void {
    this.#tried.push(tried)
    this.#rouse()
  }

  #rouse(): void {
    this.#isAwake = true
    this.#wake()
  }

  /** Until something happens, or for this long. */
  #sleep(milliseconds: number): Promise<void> {
    if (this.#isAwake) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async #pauseMs(): Promise<number> {
    const { database, clock } = this.#dependencies
    const next = this.#isStopping ? undefined : await nextCallAt(database, [...this.#targets.keys()])
    const wait = next ? next.getTime() - clock.now().getTime() : LOOK_AGAIN_MS.most
    return Math.min(Math.max(wait, LOOK_AGAIN_MS.least), LOOK_AGAIN_MS.most)
  }

  /** Only a key that others do not have needs its holder to be alive. */
  #keepAlive(): () => Promise<void> {
    const { database, sealing, log } = this.#dependencies
    if (sealing.isShared) return async () => {}
    return repeatWork({
      database,
      milliseconds: SAY_ALIVE_MS,
      atOnce: true,
      work: () => sayAlive(database, sealing),
      onError: (error) => log?.error({ err: error }, 'no sign of life given'),
    })
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }
}
