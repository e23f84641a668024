import { randomUUID } from 'node:crypto'
import type { Clock } from '@campus/engine/base/clock'
import type { Chance } from '@campus/engine/base/retry-schedule'
import { stopAll } from '@campus/engine/base/stop-all'
import type { Database } from '@campus/engine/database/database'
import { nextDueAt } from '@campus/engine/database/due-work'
import { dueName } from '@campus/engine/database/functions/change-triggers'
import { WorkLoop } from '@campus/engine/database/work-loop'
import type { FastifyBaseLogger } from 'fastify'
import { attemptDelivery, type Outcome } from './attempt-delivery.ts'
import type { DeliveryKind } from './delivery-kind.ts'
import { type AttemptLimits, DeliveryQueues } from './delivery-queues.ts'
import type { LeasedDelivery, Subscription } from './leased-delivery.ts'
import { recordOutcomes } from './record-outcomes.ts'
import { reasonInEnglish } from './stored-reasons.ts'
import type { Transport } from './transport.ts'

type Dependencies<D extends LeasedDelivery, S extends Subscription> = {
  readonly database: Database
  readonly clock: Clock
  readonly kind: DeliveryKind<D, S>
  readonly transport: Transport
  readonly limits: AttemptLimits
  readonly log?: Pick<FastifyBaseLogger, 'debug' | 'warn' | 'error'>
  readonly chance?: Chance
  /** Called after every attempt. */
  readonly onOutcome?: (outcome: Outcome) => void
  readonly stopGraceMs?: number
}

/** Exceeds the duration of an attempt, so an expired lease means that its process has died. */
const LEASE_MS = 30_000
/** An attempt must be able to end before its lease. */
const MIN_LEASE_MS = 16_000
/**
 * Attempts that end together are recorded together, since each recording flushes the database's log. The pause is longer while
 * more deliveries wait in memory.
 */
const BATCH_PAUSE_MS = { min: 4, max: 25 }
const LOOK_AGAIN_MS = { min: 200, max: 30_000 }
const STOP_GRACE_MS = 8_000

/**
 * Sends due deliveries. Any number of processes may do so. Deliveries are leased and recorded in batches, and no transaction
 * is open during an attempt.
 */
export class DeliverySender<D extends LeasedDelivery, S extends Subscription> {
  readonly #dependencies: Dependencies<D, S>
  readonly #lease = randomUUID()
  readonly #aborting = new AbortController()
  readonly #queues: DeliveryQueues<D>
  readonly #loop: WorkLoop
  #outcomes: Outcome[] = []
  #subscriptions: ReadonlyMap<number, S> = new Map()
  #subscriptionsVersion: number | undefined
  #end = async () => {}

  constructor(dependencies: Dependencies<D, S>) {
    const { deliveries, subscriptions } = dependencies.kind.tables
    this.#dependencies = dependencies
    this.#queues = new DeliveryQueues(dependencies.limits)
    this.#loop = new WorkLoop({
      database: dependencies.database,
      tables: [dueName(deliveries), subscriptions],
      round: () => this.#round(),
      isIdle: () => this.#queues.isIdle && this.#outcomes.length === 0,
      sleepMs: () => this.#sleepMs(),
      pauseMs: () => (this.#queues.hasWaiting ? BATCH_PAUSE_MS.max : BATCH_PAUSE_MS.min),
      onError: (error) => dependencies.log?.error({ err: error }, 'webhook deliveries wait for the database'),
    })
  }

  start(): void {
    const { kind, log } = this.#dependencies
    this.#end = kind.begin?.((error) => log?.error({ err: error }, 'no heartbeat sent')) ?? this.#end
    this.#loop.start()
  }

  /** Sends all due deliveries. For senders that were not started. */
  settle(): Promise<void> {
    return this.#loop.settle()
  }

  pause(): void {
    this.#loop.pause()
  }

  /** Waits a few seconds for running attempts. Unfinished deliveries are released. */
  async stop(): Promise<void> {
    const timer = setTimeout(() => this.#aborting.abort(), this.#dependencies.stopGraceMs ?? STOP_GRACE_MS)
    await stopAll([
      () => this.#loop.stop(),
      () => clearTimeout(timer),
      () => this.#dependencies.transport.close(),
      () => this.#end(),
    ])
  }

  /** Records ended attempts and leases due deliveries. Resolves to whether there were any. */
  async #round(): Promise<boolean> {
    const { database, kind } = this.#dependencies
    const outcomes = this.#outcomes.splice(0)
    const recording = outcomes.length > 0 ? recordOutcomes(database, kind, this.#lease, outcomes) : undefined
    // A failure of one does not discard the result of the other.
    const [recorded, leased] = await Promise.allSettled([recording, this.#isStopping ? [] : this.#leaseDue()])
    if (recorded.status === 'rejected') this.#outcomes.unshift(...outcomes)
    if (leased.status === 'fulfilled') for (const delivery of leased.value) this.#queues.add(delivery)
    if (this.#isStopping) this.#releaseWaiting()
    else this.#startAttempts()
    for (const result of [recorded, leased]) if (result.status === 'rejected') throw result.reason
    return outcomes.length > 0 || (leased.status === 'fulfilled' && leased.value.length > 0)
  }

  #releaseWaiting(): void {
    for (const { id, subscriptionId } of this.#queues.drain()) this.#report({ kind: 'released', id, subscriptionId })
  }

  async #leaseDue(): Promise<readonly D[]> {
    const { database, clock, kind } = this.#dependencies
    const subscriptions = await this.#enabledSubscriptions()
    const { capacity, shares } = this.#queues.capacity(subscriptions.values())
    if (capacity.size === 0) return []
    return kind.lease(database, { now: clock.now(), lease: this.#lease, leaseMilliseconds: LEASE_MS, capacity, shares })
  }

  async #enabledSubscriptions(): Promise<ReadonlyMap<number, S>> {
    const { database, kind } = this.#dependencies
    await database.changes.validate()
    const version = database.changes.versionOf(kind.subscriptionTables)
    if (version !== this.#subscriptionsVersion) {
      this.#subscriptions = await kind.readSubscriptions(database)
      this.#subscriptionsVersion = version
    }
    return this.#subscriptions
  }

  #startAttempts(): void {
    for (let next = this.#queues.next(); next; next = this.#queues.next()) void this.#attempt(next)
  }

  async #attempt(delivery: D): Promise<void> {
    const { clock, log, chance = Math.random, ...dependencies } = this.#dependencies
    const { id, subscriptionId } = delivery
    const subscription = this.#subscriptions.get(subscriptionId)
    const hasTime = delivery.leasedUntil - performance.now() >= MIN_LEASE_MS
    const begun = performance.now()
    const outcome: Outcome =
      subscription && hasTime && !this.#isStopping
        ? await attemptDelivery(delivery, subscription, {
            ...dependencies,
            clock,
            chance,
            signal: this.#aborting.signal,
            onError: (error) => log?.error({ err: error, delivery: id }, 'a webhook was not read'),
          })
        : { kind: 'released', id, subscriptionId }
    this.#queues.ended(subscriptionId, outcome.kind === 'attempted' ? performance.now() - begun : undefined)
    if (outcome.kind === 'attempted') this.#log(delivery, outcome)
    this.#report(outcome)
    this.#startAttempts()
  }

  #log(delivery: D, outcome: Extract<Outcome, { kind: 'attempted' }>): void {
    const { log, kind, onOutcome } = this.#dependencies
    const { id, status, error, milliseconds, deliveryResult } = outcome
    const line = { delivery: id, ...kind.logged(delivery), state: deliveryResult.state, status, milliseconds }
    if (deliveryResult.state === 'delivered') log?.debug(line, 'webhook delivered')
    else
      log?.warn({ ...line, reason: reasonInEnglish(error), attempts: delivery.attempts + 1 }, 'webhook not delivered')
    onOutcome?.(outcome)
  }

  #report(outcome: Outcome): void {
    this.#outcomes.push(outcome)
    this.#loop.wake()
  }

  async #sleepMs(): Promise<number> {
    const { database, clock, kind } = this.#dependencies
    // Subscriptions without capacity do not matter: the end of an attempt wakes the loop.
    const { capacity } = this.#queues.capacity(this.#subscriptions.values())
    const next =
      this.#isStopping || capacity.size === 0 ? undefined : await nextDueAt(database, kind.work, [...capacity.keys()])
    const wait = next ? next.getTime() - clock.now().getTime() : LOOK_AGAIN_MS.max
    return Math.min(Math.max(wait, LOOK_AGAIN_MS.min), LOOK_AGAIN_MS.max)
  }

  get #isStopping(): boolean {
    return this.#loop.stopping.aborted
  }
}
