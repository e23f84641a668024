import type { LeasedDelivery } from './leased-delivery.ts'

/** A process leases ahead what it will send in about this time: more would only wait in its memory. */
const AHEAD_MS = 1_000
const MAX_AHEAD = 1_000

type DeliveryQueue<D> = {
  readonly waiting: D[]
  running: number
  /** How long attempts take, the last ones weighing most; undefined before the first. */
  usualMs: number | undefined
}

/** The deliveries that this process has leased, in a queue per subscription, so that none waits for another. */
export class DeliveryQueues<D extends LeasedDelivery> {
  readonly #queues = new Map<number, DeliveryQueue<D>>()
  readonly #connections: number

  constructor(connections: number) {
    this.#connections = connections
  }

  get isIdle(): boolean {
    return [...this.#queues.values()].every(({ waiting, running }) => waiting.length === 0 && running === 0)
  }

  /** Whether there is more than can begin now. */
  get hasWaiting(): boolean {
    return [...this.#queues.values()].some(({ waiting }) => waiting.length > 0)
  }

  /** How many more deliveries may be leased for each of these subscriptions; those without room are left out. */
  room(subscriptions: readonly number[]): Map<number, number> {
    const room = new Map<number, number>()
    for (const id of subscriptions) {
      const { waiting, running, usualMs } = this.#queue(id)
      const ahead = usualMs === undefined ? 0 : (this.#connections * AHEAD_MS) / Math.max(usualMs, 1)
      const maxAhead = this.#connections + Math.min(Math.floor(ahead), MAX_AHEAD)
      const held = waiting.length + running
      // Half empty before it is filled, so that deliveries are leased in batches.
      if (held <= maxAhead / 2 || held < this.#connections) room.set(id, maxAhead - held)
    }
    return room
  }

  add(delivery: D): void {
    this.#queue(delivery.subscriptionId).waiting.push(delivery)
  }

  /** A delivery that may begin now. */
  next(): D | undefined {
    for (const queue of this.#queues.values()) {
      if (queue.running >= this.#connections) continue
      const delivery = queue.waiting.shift()
      if (!delivery) continue
      queue.running += 1
      return delivery
    }
    return undefined
  }

  /** `milliseconds` is how long the attempt took, undefined where none was made. */
  ended(subscriptionId: number, milliseconds: number | undefined): void {
    const queue = this.#queue(subscriptionId)
    queue.running -= 1
    if (milliseconds !== undefined) queue.usualMs = (queue.usualMs ?? milliseconds) * 0.9 + milliseconds * 0.1
  }

  /** Takes out all that has not begun. */
  drain(): D[] {
    return [...this.#queues.values()].flatMap(({ waiting }) => waiting.splice(0))
  }

  #queue(id: number): DeliveryQueue<D> {
    const queue = this.#queues.get(id) ?? { waiting: [], running: 0, usualMs: undefined }
    this.#queues.set(id, queue)
    return queue
  }
}
