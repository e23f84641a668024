import type { Worker } from 'node:cluster'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { isRecord } from '@campus/engine/base/narrow'

/** A connection as Node's cluster sends it to a worker. */
type Sent = {
  readonly message: Readonly<Record<string, unknown>>
  readonly connection: { close(): void }
  /** Number of workers that have not accepted it. */
  readonly refusals: number
}

/**
 * Tracks connections on their way to workers. Node's cluster loses a connection whose worker dies before it accepts, and the
 * client would wait for ever. It is given to another worker here, as Node does with refused connections.
 */
export class Handovers {
  readonly #sentTo = new Map<Worker, Map<number, Sent>>()
  #number = 0

  /** Tracks connections to a new worker. */
  follow(worker: Worker): void {
    const sent = new Map<number, Sent>()
    this.#sentTo.set(worker, sent)
    const { process } = worker
    const { send } = process
    const followed = (message: unknown, connection?: unknown, ...rest: readonly unknown[]) => {
      if (isRecord(message) && message.act === 'newconn' && typeof message.seq === 'number' && isHandle(connection))
        sent.set(message.seq, { message, connection, refusals: 0 })
      return Reflect.apply(send, process, [message, connection, ...rest])
    }
    Object.assign(process, { send: followed })
    process.on('internalMessage', (message: unknown) => {
      if (!isRecord(message) || typeof message.ack !== 'number') return
      const answered = sent.get(message.ack)
      sent.delete(message.ack)
      // Node handles the numbers that it assigned itself.
      if (!answered || message.ack >= 0) return
      if (message.accepted === true) answered.connection.close()
      else this.#giveToAnother(answered)
    })
    worker.once('exit', async () => {
      this.#sentTo.delete(worker)
      // Its last messages may still have to be read.
      for (let turn = 0; turn < 2; turn += 1) await endOfTurn()
      for (const one of sent.values()) this.#giveToAnother(one)
    })
  }

  #giveToAnother({ message, connection, refusals }: Sent): void {
    const others = [...this.#sentTo].filter(([worker]) => worker.isConnected())
    const [other, sent] = others[refusals] ?? []
    if (other?.process.send && sent) {
      this.#number -= 1
      const again = { ...message, seq: this.#number }
      Reflect.apply(other.process.send, other.process, [again, connection])
      sent.set(this.#number, { message: again, connection, refusals: refusals + 1 })
    } else connection.close()
  }
}

const isHandle = (value: unknown): value is Sent['connection'] =>
  typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function'
