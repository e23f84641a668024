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
import { describeAccess, grantOf, role } from '../declare/access.ts'
import type { Engine } from '../engine.ts'
import type { AskedList } from '../read/actions.ts'
import { findParents } from '../read/find.ts'
import { pageOf } from '../read/list-request.ts'
import { staleHeaders } from '../read/reading.ts'
import { type ListStream, openListStream } from './list-stream.ts'

/** Callers with this access take whole lists in each form, and at no cost in rate (spec: lists 19). */
const STAFF = role('Basic Staff')

const MAX_AT_A_TIME = 3
const MAX_PER_PERSON = 2
/** Maximum number of lists at a time for callers who are not staff, so that staff always find a place. */
const MAX_BESIDE_STAFF = 1
const TRY_AGAIN_SECONDS = 10
const MAX_MILLISECONDS = 3_600_000
const MAX_MILLISECONDS_BESIDE_STAFF = 600_000
/** Maximum time for which a client may read nothing. */
const PAUSE_MILLISECONDS = 60_000
/** A client that takes fewer chunks than these in this time is slow. */
const PACE = { chunks: 30, milliseconds: 60_000 } as const

const isStaff = (caller: Caller): boolean => grantOf(STAFF, caller) !== undefined

/** Refuses callers who may not have whole lists in the form. Without a rate to pay from, all lists need the role. Throws 403. */
export function requireStreamAccess(form: StreamForm, caller: Caller, { hasRate = true } = {}): void {
  if (isStaff(caller) || (form === 'ndjson' && hasRate)) return
  throw accessDenied(
    message('A whole list as {type} needs {needs}. Its pages come as application/json.', {
      type: STREAM_TYPES[form],
      needs: describeAccess(STAFF),
    }),
  )
}

/** The place of a list that is being sent. */
class Seat {
  readonly person: number
  readonly isStaff: boolean
  #end: (error: Error) => void = () => {}
  /** When sending began and the last chunks were taken, the oldest first. */
  readonly #taken: number[] = []

  constructor(caller: Caller) {
    this.person = personOf(caller)
    this.isStaff = isStaff(caller)
  }

  /** Notes that the list is being sent from now on, and how to end it. */
  begin(end: (error: Error) => void): void {
    this.#end = end
    this.take()
  }

  /** Notes that the client took a chunk. */
  take(): void {
    this.#taken.push(performance.now())
    if (this.#taken.length > PACE.chunks) this.#taken.shift()
  }

  /** How long the client took for its last chunks, in milliseconds; 0 before the list is being sent. */
  get milliseconds(): number {
    return performance.now() - (this.#taken[0] ?? performance.now())
  }

  end(error: Error): void {
    this.#end(error)
  }
}

/** The whole lists that are being sent: few at a time, so that pages are still served, each as fast as its client reads (spec: lists 22, 23). */
export class ListStreams {
  readonly #engine: Engine
  readonly #limits: RateLimits
  readonly #open = new Set<Readable>()
  readonly #seats = new Set<Seat>()

  constructor(engine: Engine, limits: RateLimits) {
    this.#engine = engine
    this.#limits = limits
  }

  /** Sends a list. An error before its first byte is a refusal; a later one breaks the connection off. */
  async send(
    reply: FastifyReply,
    request: ActionRequest,
    form: StreamForm,
    listOf: () => Promise<AskedList>,
  ): Promise<FastifyReply> {
    refusePages(request, form)
    const asked = await listOf()
    await findParents(this.#engine.database, request.parents)
    const seat = this.#enter(request.caller)
    try {
      const list = await openListStream(this.#engine, asked, form, request, (total) =>
        this.#charge(reply, request.caller, total),
      )
      const body = this.#follow(list, seat)
      const name = `${asked.plan.resource.name}.${form}`
      reply.headers({
        'content-type': form === 'csv' ? `${STREAM_TYPES.csv}; charset=utf-8; header=present` : STREAM_TYPES.ndjson,
        'content-disposition': `attachment; filename="${name}"`,
        // It is the only page.
        ...(list.age === undefined ? {} : staleHeaders(list.age)),
        ...pageHeaders({ ...request, query: '', page: 1, perPage: Math.max(1, list.total), total: list.total }),
      })
      return reply.send(body)
    } catch (error) {
      this.#seats.delete(seat)
      throw error
    }
  }

  /** Ends all of them. */
  close(): void {
    for (const body of this.#open) body.destroy(new Error('the service stops'))
  }

  /** Takes the list from the rate of callers who are not staff. Throws 403 and 429. */
  async #charge({ request }: FastifyReply, caller: Caller, total: number): Promise<void> {
    if (isStaff(caller) || request.method === 'HEAD') return
    await this.#limits.spendList(caller.application, personOf(caller), total)
    request.rate = await this.#limits.look(caller.application)
  }

  /** Takes a seat for a list. Throws 429 or 503 if too many lists are being sent. */
  #enter(caller: Caller): Seat {
    const seat = new Seat(caller)
    const seats = [...this.#seats]
    const most = seat.isStaff ? MAX_PER_PERSON : MAX_BESIDE_STAFF
    if (seats.filter(({ person }) => person === seat.person).length >= most) {
      const text = message('A person may read {most} whole lists at a time. Try again when one has ended.', { most })
      throw tooManyRequests(text, TRY_AGAIN_SECONDS, 'whole_lists')
    }
    const rivals = seat.isStaff ? seats : seats.filter((other) => !other.isStaff)
    if (seats.length >= MAX_AT_A_TIME || (!seat.isStaff && rivals.length >= MAX_BESIDE_STAFF)) this.#endSlowest(rivals)
    this.#seats.add(seat)
    return seat
  }

  /** Ends the list of the slowest client. Throws 503 if none is slow. */
  #endSlowest(seats: readonly Seat[]): void {
    const [slowest] = seats.toSorted((one, other) => other.milliseconds - one.milliseconds)
    if (slowest === undefined || slowest.milliseconds < PACE.milliseconds)
      throw unavailable('As many whole lists as may be at a time are being read; please try again.', TRY_AGAIN_SECONDS)
    this.#seats.delete(slowest)
    slowest.end(new Error('the client reads slowly, and another list needs its place'))
  }

  #follow(list: ListStream, seat: Seat): Readable {
    const stopPause = { now: () => {} }
    const body = Readable.from(withDeadline(list.chunks, startPause), { objectMode: false })
    const longest = seat.isStaff ? MAX_MILLISECONDS : MAX_MILLISECONDS_BESIDE_STAFF
    const stopWhole = startDeadline(longest, () => body.destroy(new Error('a list took too long')))
    seat.begin((error) => body.destroy(error))
    this.#open.add(body)
    body.once('close', () => {
      stopPause.now()
      stopWhole()
      list.close(body.readableEnded ? undefined : (body.errored ?? new Error('nobody reads the list any more')))
      this.#open.delete(body)
      this.#seats.delete(seat)
    })
    return body

    function startPause(): () => void {
      seat.take()
      stopPause.now = startDeadline(PAUSE_MILLISECONDS, () => body.destroy(new Error('the client reads nothing')))
      return stopPause.now
    }
  }
}

/** The same chunks, with a pause from each until the client asks for the next. */
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
  throw wrongParameter(
    name,
    message('{name} does not go with {type}: the whole list comes as one stream.', {
      name,
      type: STREAM_TYPES[form],
    }),
  )
}
