import type { TakenCall } from './try-call.ts'

/** How many calls a process takes ahead for an endpoint that answers quickly. */
const TAKEN_AHEAD = 200
/** An endpoint whose last call took longer gets only what can be made at once: the rest would wait with us in vain. */
const QUICK_MS = 500

type Lane = { readonly queue: TakenCall[]; running: number; isQuick: boolean }

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
      const { queue, running, isQuick } = this.#lane(id)
      // Half empty before it is filled, so that calls come in batches.
      const most = isQuick ? Math.max(TAKEN_AHEAD, this.#connections) : this.#connections
      const held = queue.length + running
      if (held < most && (!isQuick || held <= most / 2)) room.set(id, most - held)
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
    if (milliseconds !== undefined) lane.isQuick = milliseconds < QUICK_MS
  }

  /** All that has not begun. */
  drain(): TakenCall[] {
    return [...this.#lanes.values()].flatMap(({ queue }) => queue.splice(0))
  }

  #lane(id: number): Lane {
    const lane = this.#lanes.get(id) ?? { queue: [], running: 0, isQuick: false }
    this.#lanes.set(id, lane)
    return lane
  }
}
