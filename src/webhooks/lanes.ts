import type { TakenCall } from './try-call.ts'

/** A process takes ahead what it will make in about this time: more would wait with it in vain. */
const AHEAD_MS = 1_000
const MOST_AHEAD = 1_000

type Lane = {
  readonly queue: TakenCall[]
  running: number
  /** How long calls take, the last ones weighing most; undefined before there was one. */
  usualMs: number | undefined
}

/** The calls that this process has taken, by endpoint: each has its own line, so that none waits for another's. */
export class Lanes {
  readonly #lanes = new Map<number, Lane>()
  readonly #connections: number

  constructor(connections: number) {
    this.#connections = connections
  }

  get isIdle(): boolean {
    return [...this.#lanes.values()].every(({ queue, running }) => queue.length === 0 && running === 0)
  }

  /** How many more calls may be taken for each of these endpoints; those without room are left out. */
  room(endpoints: readonly number[]): Map<number, number> {
    const room = new Map<number, number>()
    for (const id of endpoints) {
      const { queue, running, usualMs } = this.#lane(id)
      const ahead = usualMs === undefined ? 0 : (this.#connections * AHEAD_MS) / Math.max(usualMs, 1)
      const most = this.#connections + Math.min(Math.floor(ahead), MOST_AHEAD)
      const held = queue.length + running
      // Half empty before it is filled, so that calls come in batches.
      if (held <= most / 2 || held < this.#connections) room.set(id, most - held)
    }
    return room
  }

  add(call: TakenCall): void {
    this.#lane(call.endpointId).queue.push(call)
  }

  /** A call that may begin now. */
  next(): TakenCall | undefined {
    for (const lane of this.#lanes.values()) {
      if (lane.running >= this.#connections) continue
      const call = lane.queue.shift()
      if (!call) continue
      lane.running += 1
      return call
    }
    return undefined
  }

  /** `milliseconds` is how long the call took, undefined for one that was not made. */
  ended(endpointId: number, milliseconds: number | undefined): void {
    const lane = this.#lane(endpointId)
    lane.running -= 1
    if (milliseconds !== undefined) lane.usualMs = (lane.usualMs ?? milliseconds) * 0.9 + milliseconds * 0.1
  }

  /** All that has not begun. */
  drain(): TakenCall[] {
    return [...this.#lanes.values()].flatMap(({ queue }) => queue.splice(0))
  }

  #lane(id: number): Lane {
    const lane = this.#lanes.get(id) ?? { queue: [], running: 0, usualMs: undefined }
    this.#lanes.set(id, lane)
    return lane
  }
}
