import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '../support/client.ts'

const PAUSE_MILLISECONDS = 20

/** Callers who read and write until they are stopped, and what they were answered. */
export class Load {
  /** How many answers had which status. */
  readonly answered = new Map<number, number>()
  /** Responses that are neither a success nor a 503 with `Retry-After`. */
  readonly wrong: string[] = []
  maxMilliseconds = 0
  /** When a call was last done, on the clock of `performance`. */
  #doneAt = 0
  readonly #stopping = new AbortController()
  readonly #working: Promise<unknown>

  constructor(client: Client, callers: number) {
    this.#working = Promise.all(Array.from({ length: callers }, (_, number) => this.#work(client, number)))
  }

  /** Resolves with the time when a call was done that was made later than now. */
  async nextDone(): Promise<number> {
    const from = performance.now()
    while (this.#doneAt < from) await wait(5)
    return this.#doneAt
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#working
  }

  async #work(client: Client, number: number): Promise<void> {
    for (let times = 1; !this.#stopping.signal.aborted; times += 1) {
      const begun = performance.now()
      const writes = number % 4 === 0
      const name = `${number} ${times} ${begun}`
      const answer = writes
        ? await client.post('/v2/groups', { group: { name } })
        : await client.get(`/v2/users?filter[login]=${number}-${times}`)
      const { status } = answer
      this.maxMilliseconds = Math.max(this.maxMilliseconds, performance.now() - begun)
      this.answered.set(status, (this.answered.get(status) ?? 0) + 1)
      if (status === (writes ? 201 : 200)) this.#doneAt = performance.now()
      else if (status !== 503 || !(Number(answer.headers.get('retry-after')) >= 1)) this.wrong.push(answer.text)
      await wait(PAUSE_MILLISECONDS)
    }
  }
}

export type Usage = { readonly sockets: number; readonly mebibytes: number }

/** Returns the present resources of a process, or undefined on systems without `/proc`. */
export async function usageOf(pid: number): Promise<Usage | undefined> {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => undefined)
  if (!names) return undefined
  const links = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB/m.exec(status) ?? []
  return {
    sockets: links.filter((link) => link.startsWith('socket:')).length,
    mebibytes: Number(kibibytes ?? 0) / 1024,
  }
}

/** Memory of a process and of the processes that it has started. */
export async function usageOfFamily(pid: number): Promise<Usage | undefined> {
  const usage = await usageOf(pid)
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const families = await Promise.all((children.match(/\d+/g) ?? []).map((child) => usageOfFamily(Number(child))))
  return families.reduce(
    (sum, family) =>
      sum && family
        ? { sockets: sum.sockets + family.sockets, mebibytes: sum.mebibytes + family.mebibytes }
        : (sum ?? family),
    usage,
  )
}

/** Follows the most that a process holds, until it is stopped. */
export function followUsage(pid: number, from: Usage, look = usageOf): () => Promise<Usage> {
  let { sockets, mebibytes } = from
  const stopping = new AbortController()
  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      const now = (await look(pid)) ?? from
      sockets = Math.max(sockets, now.sockets)
      mebibytes = Math.max(mebibytes, now.mebibytes)
      await wait(100)
    }
  }
  const following = follow()
  return async () => {
    stopping.abort()
    await following
    return { sockets, mebibytes }
  }
}
