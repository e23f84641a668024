import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { startDeadline } from '../../base/deadline.ts'
import { message } from '../../base/languages/say.ts'
import { accessDenied, tooManyRequests, unavailable, wrongParameter } from '../../errors.ts'
import { type Caller, personOf } from '../../http/caller.ts'
import type { RateLimits } from '../../http/rate-limit.ts'
import { STREAM_TYPES, type StreamForm } from '../../http/stream-types.ts'
import type { ActionRequest } from '../action-request.ts'
import { pageHeaders } from '../answer.ts'
import { type CommonAccess, describeAccess, hasRole } from '../declare/access.ts'
import type { Engine } from '../engine.ts'
import type { AskedList } from '../read/actions.ts'
import { findParents } from '../read/find.ts'
import { pageOf } from '../read/list-request.ts'
import { staleHeaders } from '../read/reading.ts'
import { withByteOrderMark } from './csv.ts'
import { type ListStream, openListStream } from './list-stream.ts'

const MAX_AT_A_TIME = 3
const MAX_PER_PERSON = 2
/** Limit for callers without the role, so that callers with it can always read lists. */
const MAX_OTHERS = 1
const TRY_AGAIN_SECONDS = 10
const QUEUED_MILLISECONDS = 2_000 * TRY_AGAIN_SECONDS
const MAX_MILLISECONDS = 3_600_000
const MAX_OTHERS_MILLISECONDS = 600_000
const PAUSE_MILLISECONDS = 60_000
/** A client is slow if its last chunks took this time. */
const SLOW = { chunks: 30, milliseconds: 60_000 } as const

const isPrivileged = ({ wholeLists }: CommonAccess, caller: Caller): boolean => hasRole(caller, wholeLists)

/** Throws 403. Without the role, callers may only read NDJSON at the cost of their rate. */
export function requireStreamAccess(access: CommonAccess, form: StreamForm, caller: Caller, { hasRate = true } = {}) {
  if (isPrivileged(access, caller) || (form === 'ndjson' && hasRate)) return
  const values = { type: STREAM_TYPES[form], needs: describeAccess(access.wholeLists) }
  throw accessDenied(message('A whole list as {type} needs {needs}. Its pages come as application/json.', values))
}

class Transfer {
  readonly person: number
  readonly isPrivileged: boolean
  end: (error: Error) => void = () => {}
  readonly #chunkTimes: number[] = []

  constructor(access: CommonAccess, caller: Caller) {
    this.person = personOf(caller)
    this.isPrivileged = isPrivileged(access, caller)
  }

  begin(end: (error: Error) => void): void {
    this.end = end
    this.noteChunk()
  }

  noteChunk(): void {
    this.#chunkTimes.push(performance.now())
    if (this.#chunkTimes.length > SLOW.chunks) this.#chunkTimes.shift()
  }

  get recentMilliseconds(): number {
    return performance.now() - (this.#chunkTimes[0] ?? performance.now())
  }
}

/** Sends whole lists, a few at a time so that pages are still served (spec: lists 22, 23). */
export class ListStreams {
  readonly #engine: Engine
  readonly #limits: RateLimits
  readonly #open = new Set<Readable>()
  readonly #transfers = new Set<Transfer>()
  readonly #queue = new Map<number, number>()

  constructor(engine: Engine, limits: RateLimits) {
    this.#engine = engine
    this.#limits = limits
  }

  /** Sends a list. An error before the first byte is a response. A later error closes the connection. */
  async send(
    reply: FastifyReply,
    request: ActionRequest,
    form: StreamForm,
    listOf: () => Promise<AskedList>,
    { isForPeople = false }: { readonly isForPeople?: boolean } = {},
  ): Promise<FastifyReply> {
    refusePages(request, form)
    const asked = await listOf()
    await findParents(this.#engine.database, request.parents)
    const transfer = this.#admit(request.caller)
    try {
      const list = await openListStream(this.#engine, asked, form, request, (total) =>
        this.#charge(reply, request.caller, total),
      )
      const chunks = isForPeople && form === 'csv' ? withByteOrderMark(list.chunks) : list.chunks
      const body = this.#start(transfer, { ...list, chunks })
      const name = `${asked.plan.resource.name}.${form}`
      reply.headers({
        'content-type': form === 'csv' ? `${STREAM_TYPES.csv}; charset=utf-8; header=present` : STREAM_TYPES.ndjson,
        'content-disposition': `attachment; filename="${name}"`,
        // The list is its only page.
        ...(list.age === undefined ? {} : staleHeaders(list.age)),
        ...pageHeaders({ ...request, query: '', page: 1, perPage: Math.max(1, list.total), total: list.total }),
      })
      return reply.send(body)
    } catch (error) {
      this.#transfers.delete(transfer)
      throw error
    }
  }

  close(): void {
    for (const body of this.#open) body.destroy(new Error('the service stops'))
  }

  /** Charges callers without the role. Throws 403 and 429. */
  async #charge({ request }: FastifyReply, caller: Caller, total: number): Promise<void> {
    if (isPrivileged(this.#engine.registry.access, caller) || request.method === 'HEAD') return
    await this.#limits.spendList({ ...caller, records: total })
    request.rate = await this.#limits.look(caller.application)
  }

  /** Adds a transfer, and may end a slow one. Throws 429 or 503 if there are too many. */
  #admit(caller: Caller): Transfer {
    const transfer = new Transfer(this.#engine.registry.access, caller)
    const { isPrivileged, person } = transfer
    const others = [...this.#transfers]
    const most = isPrivileged ? MAX_PER_PERSON : MAX_OTHERS
    if (others.filter((other) => other.person === person).length >= most) {
      const text = message('A person may read {most} whole lists at a time. Try again when one has ended.', { most })
      throw tooManyRequests(text, TRY_AGAIN_SECONDS, 'whole_lists')
    }
    if (!isPrivileged) this.#requireTurn(person)
    const unprivileged = others.filter((other) => !other.isPrivileged)
    const isFull = others.length >= MAX_AT_A_TIME || (!isPrivileged && unprivileged.length >= MAX_OTHERS)
    if (isFull) this.#endSlowest(isPrivileged ? others : unprivileged)
    this.#queue.delete(person)
    this.#transfers.add(transfer)
    return transfer
  }

  /** Queues a person, so that people take turns. Throws 503 if another is first. */
  #requireTurn(person: number): void {
    const now = performance.now()
    for (const [queued, until] of this.#queue) if (until < now) this.#queue.delete(queued)
    // A waiting person keeps the place in the queue.
    this.#queue.set(person, now + QUEUED_MILLISECONDS)
    const [first] = this.#queue.keys()
    if (first !== person) throw noPlace()
  }

  /** Ends the slowest transfer. Throws 503 if none is slow. */
  #endSlowest(transfers: readonly Transfer[]): void {
    const [slowest] = transfers.toSorted((one, other) => other.recentMilliseconds - one.recentMilliseconds)
    if (slowest === undefined || slowest.recentMilliseconds < SLOW.milliseconds) throw noPlace()
    this.#transfers.delete(slowest)
    slowest.end(new Error('the client reads slowly, and another list needs its place'))
  }

  #start(transfer: Transfer, list: ListStream): Readable {
    const stopPause = { now: () => {} }
    const body = Readable.from(withDeadline(list.chunks, startPause), { objectMode: false })
    const longest = transfer.isPrivileged ? MAX_MILLISECONDS : MAX_OTHERS_MILLISECONDS
    const stopWhole = startDeadline(longest, () => body.destroy(new Error('a list took too long')))
    transfer.begin((error) => body.destroy(error))
    this.#open.add(body)
    body.once('close', () => {
      stopPause.now()
      stopWhole()
      list.close(body.readableEnded ? undefined : (body.errored ?? new Error('nobody reads the list any more')))
      this.#open.delete(body)
      this.#transfers.delete(transfer)
    })
    return body

    function startPause(): () => void {
      transfer.noteChunk()
      stopPause.now = startDeadline(PAUSE_MILLISECONDS, () => body.destroy(new Error('the client reads nothing')))
      return stopPause.now
    }
  }
}

const noPlace = () =>
  unavailable('As many whole lists as may be at a time are being read; please try again.', TRY_AGAIN_SECONDS)

/** Limits the time until the client asks for the next chunk. */
async function* withDeadline(
  chunks: AsyncIterable<string>,
  startPause: () => () => void,
): AsyncGenerator<string, void> {
  for await (const chunk of chunks) {
    const stop = startPause()
    yield chunk
    stop()
  }
}

function refusePages({ query }: ActionRequest, form: StreamForm): void {
  const [asked] = Object.keys(pageOf(query))
  if (asked === undefined) return
  const name = asked === 'number' ? 'page' : 'per_page'
  const values = { name, type: STREAM_TYPES[form] }
  throw wrongParameter(name, message('{name} does not go with {type}: the whole list comes as one stream.', values))
}
