import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { startDeadline } from '../../base/deadline.ts'
import { message } from '../../base/languages/say.ts'
import { accessDenied, tooManyRequests, unavailable, wrongParameter } from '../../errors.ts'
import { type Caller, personOf } from '../../http/caller.ts'
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

/** The role that opens whole lists. Only staff have it, since a list costs as much as thousands of pages (spec: lists 19). */
export const STREAM_ACCESS = role('Basic Staff')

const MAX_AT_A_TIME = 3
const MAX_PER_PERSON = 2
const TRY_AGAIN_SECONDS = 10
const MAX_MILLISECONDS = 3_600_000
/** Maximum time for which a client may read nothing. */
const PAUSE_MILLISECONDS = 60_000

/** Refuses callers who may not have whole lists. Throws 403. */
export function requireStreamAccess(form: StreamForm, caller: Caller): void {
  if (grantOf(STREAM_ACCESS, caller)) return
  const needs = describeAccess(STREAM_ACCESS)
  throw accessDenied(
    message('A whole list as {type} needs {needs}. Its pages come as application/json.', {
      type: STREAM_TYPES[form],
      needs,
    }),
  )
}

/** The whole lists that are being sent: few at a time, so that pages are still served, each as fast as its client reads (spec: lists 22, 23). */
export class ListStreams {
  readonly #engine: Engine
  readonly #open = new Set<Readable>()
  /** The person of each list that is being sent. */
  readonly #people: number[] = []

  constructor(engine: Engine) {
    this.#engine = engine
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
    const leave = this.#enter(personOf(request.caller))
    try {
      const list = await openListStream(this.#engine, asked, form, request)
      const body = this.#follow(list, leave)
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
      leave()
      throw error
    }
  }

  /** Ends all of them. */
  close(): void {
    for (const body of this.#open) body.destroy(new Error('the service stops'))
  }

  /** Counts a list for a person, and returns a function that ends the count. Throws 429 or 503 if too many lists are being sent. */
  #enter(person: number): () => void {
    if (this.#people.filter((one) => one === person).length >= MAX_PER_PERSON) {
      const text = message('A person may read {most} whole lists at a time. Try again when one has ended.', {
        most: MAX_PER_PERSON,
      })
      throw tooManyRequests(text, TRY_AGAIN_SECONDS, 'whole_lists')
    }
    if (this.#people.length >= MAX_AT_A_TIME)
      throw unavailable('As many whole lists as may be at a time are being read; please try again.', TRY_AGAIN_SECONDS)
    this.#people.push(person)
    return () => this.#people.splice(this.#people.indexOf(person), 1)
  }

  #follow(list: ListStream, leave: () => void): Readable {
    const stopPause = { now: () => {} }
    const body = Readable.from(withDeadline(list.chunks, startPause), { objectMode: false })
    const stopWhole = startDeadline(MAX_MILLISECONDS, () => body.destroy(new Error('a list took too long')))
    this.#open.add(body)
    body.once('close', () => {
      stopPause.now()
      stopWhole()
      list.close(body.readableEnded ? undefined : (body.errored ?? new Error('nobody reads the list any more')))
      this.#open.delete(body)
      leave()
    })
    return body

    function startPause(): () => void {
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
