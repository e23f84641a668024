import type { Share } from '@campus/engine/database/due-work'
import type { LeasedDelivery, Subscription } from './leased-delivery.ts'

/** A process leases the deliveries that it can send in about this time. */
const AHEAD_MS = 1_000
const MAX_AHEAD = 1_000

/** Maximum numbers of concurrent attempts. */
export type AttemptLimits = {
  readonly perProcess: number
  /** For all subscriptions of one owner. */
  readonly perOwner: number
  readonly perSubscription: number
}

/** How many deliveries may be leased now, for each subscription and for each owner. */
export type Capacity = { readonly capacity: ReadonlyMap<number, number>; readonly shares: ReadonlyMap<number, Share> }

/**
 * The deliveries that this process has leased. Owners take turns, and so do the subscriptions of an owner. Slow endpoints
 * therefore delay only their owner's deliveries.
 */
export class DeliveryQueues<D extends LeasedDelivery> {
  readonly #limits: AttemptLimits
  readonly #owners = new Map<number, OwnerQueue<D>>()
  /** Owners with waiting deliveries, the next to be served first. */
  readonly #turns = new Set<OwnerQueue<D>>()
  readonly #bySubscription = new Map<number, OwnerQueue<D>>()
  #running = 0

  constructor(limits: AttemptLimits) {
    this.#limits = limits
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.#turns.size === 0
  }

  get hasWaiting(): boolean {
    return this.#turns.size > 0
  }

  get running(): number {
    return this.#running
  }

  get size(): { readonly subscriptions: number; readonly owners: number } {
    return { subscriptions: this.#bySubscription.size, owners: this.#owners.size }
  }

  /** Returns the capacity of enabled subscriptions that have any. Forgets other subscriptions once they hold no delivery. */
  capacity(subscriptions: Iterable<Subscription>): Capacity {
    const capacity = new Map<number, number>()
    const shares = new Map<number, Share>()
    const enabled = new Set<number>()
    for (const { subscriptionId, owner } of subscriptions) {
      enabled.add(subscriptionId)
      const queue = this.#ownerQueueOf(subscriptionId, owner)
      const share = queue.capacity(this.#limits.perOwner)
      const own = queue.capacityOf(subscriptionId, this.#limits.perSubscription)
      if (share === 0 || own === 0) continue
      capacity.set(subscriptionId, Math.min(own, share))
      shares.set(subscriptionId, { owner, capacity: share })
    }
    this.#forgetOthers(enabled)
    return { capacity, shares }
  }

  add(delivery: D): void {
    const queue = this.#ownerQueueOf(delivery.subscriptionId)
    queue.add(delivery)
    this.#turns.add(queue)
  }

  /** Removes and returns the next delivery to attempt, or undefined if no attempt may begin. */
  next(): D | undefined {
    const { perProcess, perSubscription } = this.#limits
    if (this.#running >= perProcess) return undefined
    const perOwner = this.#perOwnerNow
    for (const queue of this.#turns) {
      if (queue.running >= perOwner) continue
      const delivery = queue.next(perSubscription)
      if (!delivery) continue
      this.#turns.delete(queue)
      if (queue.waiting > 0) this.#turns.add(queue)
      this.#running += 1
      return delivery
    }
    return undefined
  }

  /** Ends an attempt. `milliseconds` is undefined if none was made. */
  ended(subscriptionId: number, milliseconds: number | undefined): void {
    this.#running -= 1
    this.#ownerQueueOf(subscriptionId).ended(subscriptionId, milliseconds)
  }

  /** Removes and returns the deliveries whose attempt has not begun. */
  drain(): D[] {
    const waiting = [...this.#turns].flatMap((queue) => queue.drain())
    this.#turns.clear()
    return waiting
  }

  /** Half of the attempts of the process are for owners with one attempt each, so that hanging endpoints cannot take them. */
  get #perOwnerNow(): number {
    return this.#running < this.#limits.perProcess / 2 ? this.#limits.perOwner : 1
  }

  /**
   * Returns the queue of a subscription. A subscription whose owner changes stays in the former queue while it holds
   * deliveries.
   */
  #ownerQueueOf(subscriptionId: number, owner?: number): OwnerQueue<D> {
    const known = this.#bySubscription.get(subscriptionId)
    if (known && (owner === undefined || known.holds(subscriptionId))) return known
    const key = owner ?? subscriptionId
    if (known?.owner === key) return known
    if (known) this.#forget(subscriptionId, known)
    const queue = this.#owners.get(key) ?? new OwnerQueue<D>(key)
    this.#owners.set(key, queue)
    this.#bySubscription.set(subscriptionId, queue)
    return queue
  }

  #forgetOthers(enabled: ReadonlySet<number>): void {
    if (this.#bySubscription.size === enabled.size) return
    for (const [subscriptionId, queue] of this.#bySubscription)
      if (!enabled.has(subscriptionId) && !queue.holds(subscriptionId)) this.#forget(subscriptionId, queue)
  }

  #forget(subscriptionId: number, queue: OwnerQueue<D>): void {
    this.#bySubscription.delete(subscriptionId)
    queue.forget(subscriptionId)
    if (queue.isEmpty) this.#owners.delete(queue.owner)
  }
}

type SubscriptionQueue<D> = { readonly waiting: D[]; running: number; readonly pace: Pace }

/** Moving average of the duration of attempts. */
class Pace {
  #usualMs: number | undefined

  add(milliseconds: number): void {
    this.#usualMs = (this.#usualMs ?? milliseconds) * 0.9 + milliseconds * 0.1
  }

  /**
   * Returns how many more deliveries may be leased if `limit` run at a time. Leases in batches: 0 until half of the leased are
   * sent.
   */
  capacity(held: number, limit: number): number {
    const ahead = this.#usualMs === undefined ? 0 : (limit * AHEAD_MS) / Math.max(this.#usualMs, 1)
    const most = limit + Math.min(Math.floor(ahead), MAX_AHEAD)
    return held <= most / 2 || held < limit ? most - held : 0
  }
}

class OwnerQueue<D extends LeasedDelivery> {
  readonly owner: number
  readonly #queues = new Map<number, SubscriptionQueue<D>>()
  readonly #pace = new Pace()
  #waiting = 0
  #running = 0

  constructor(owner: number) {
    this.owner = owner
  }

  get isEmpty(): boolean {
    return this.#queues.size === 0
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting
  }

  holds(subscriptionId: number): boolean {
    const queue = this.#queues.get(subscriptionId)
    return queue !== undefined && queue.waiting.length + queue.running > 0
  }

  forget(subscriptionId: number): void {
    this.#queues.delete(subscriptionId)
  }

  capacity(limit: number): number {
    return this.#pace.capacity(this.#waiting + this.#running, limit)
  }

  capacityOf(subscriptionId: number, limit: number): number {
    const { waiting, running, pace } = this.#queue(subscriptionId)
    return pace.capacity(waiting.length + running, limit)
  }

  add(delivery: D): void {
    this.#queue(delivery.subscriptionId).waiting.push(delivery)
    this.#waiting += 1
  }

  next(limit: number): D | undefined {
    for (const [subscriptionId, queue] of this.#queues) {
      if (queue.running >= limit) continue
      const delivery = queue.waiting.shift()
      if (!delivery) continue
      queue.running += 1
      this.#running += 1
      this.#waiting -= 1
      // Moves the subscription behind the others.
      this.#queues.delete(subscriptionId)
      this.#queues.set(subscriptionId, queue)
      return delivery
    }
    return undefined
  }

  ended(subscriptionId: number, milliseconds: number | undefined): void {
    const queue = this.#queue(subscriptionId)
    queue.running -= 1
    this.#running -= 1
    if (milliseconds === undefined) return
    queue.pace.add(milliseconds)
    this.#pace.add(milliseconds)
  }

  drain(): D[] {
    this.#waiting = 0
    return [...this.#queues.values()].flatMap(({ waiting }) => waiting.splice(0))
  }

  #queue(subscriptionId: number): SubscriptionQueue<D> {
    const queue = this.#queues.get(subscriptionId) ?? { waiting: [], running: 0, pace: new Pace() }
    this.#queues.set(subscriptionId, queue)
    return queue
  }
}
