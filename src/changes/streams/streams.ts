import type { FastifyReply, FastifyRequest } from 'fastify'
import { defined } from '../../base/defined.ts'
import type { Database } from '../../database/database.ts'
import { isDatabaseAway } from '../../database/errors.ts'
import type { Caller } from '../../http/caller.ts'
import type { ActionRequest } from '../../rest/action-request.ts'
import { callerKey, viewerKeyOf } from '../../rest/cache/answer-key.ts'
import type { Engine } from '../../rest/engine.ts'
import { requestContext } from '../../rest/request-context.ts'
import type { Route } from '../../rest/route-table.ts'
import { idsAnswered, planWatched, type WatchedList } from '../../rest/watched.ts'
import type { Captures } from '../capture.ts'
import { type FeedHead, readFeed, readFirstPosition, readHead } from '../feed.ts'
import { type Batch, FeedTail } from '../tail.ts'
import { encodeOutcome, eventText, heartbeatText, idOf, readCursor } from './encode-event.ts'
import { EventStream } from './event-stream.ts'
import { OpenStreams, type StreamLimits } from './limits.ts'
import { MemberRoom } from './member-room.ts'
import { type Outcome, outcomesOfChanges } from './outcomes.ts'
import { type LookAgain, PageNotices } from './page-notices.ts'
import { WatchedGroup } from './watched-group.ts'

const TICK_MS = 1_000
const TICKS_PER_HEARTBEAT = 20
/** After this nothing is repeated: the list is to be read again. */
const MAX_REPEATED = 20_000
const REPEATED_AT_A_TIME = 500
/** How often the first events are read beside changes that come meanwhile. */
const MAX_ATTEMPTS = 3

type Dependencies = {
  readonly engine: Engine
  readonly captures: Captures
  readonly limits: StreamLimits
  readonly onError: (error: unknown) => void
}

/** For whom a stream is open: a token, or a session of pages. */
export type StreamHolder = {
  /** The same for all streams of the holder. */
  readonly key: string
  /** The application of a token; a session is one of its own. */
  readonly application: string
  /** The caller as of now; undefined where the holder has ended. */
  current(): Promise<Caller | undefined>
}

/** A request to watch what a route answers. */
export type WatchRequest = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly route: Route
  readonly asked: ActionRequest
  readonly holder: StreamHolder
}

/** A page that is shown to somebody, and when it is to be looked at again. */
export type PageRequest = LookAgain & Pick<WatchRequest, 'reply' | 'holder'> & { readonly caller: Caller }

/** The first events of a stream, and the records that they show. */
type First = { readonly ids: readonly number[]; readonly text: string }

/** Nothing was missed. */
const RESUMED: First = { ids: [], text: ': resumed\n\n' }

/** A group with the number of streams that are open in it or are about to be. */
type Shared = { readonly group: Promise<WatchedGroup>; users: number }
/** A group that is there, and where. */
type Listed = { readonly key: string; readonly shared: Shared; readonly group: WatchedGroup }

/** Sends the changes of lists and records as Server-Sent Events (spec: streams 1). */
export class Streams {
  readonly #dependencies: Dependencies
  readonly #database: Database
  readonly #open: OpenStreams
  readonly #tail: FeedTail
  readonly #room = new MemberRoom()
  readonly #pages: PageNotices
  readonly #groups = new Map<string, Shared>()
  /** For whom each stream was opened, with which rights. */
  readonly #holders = new Map<EventStream, { readonly holder: StreamHolder; readonly caller: Caller }>()
  #head: FeedHead | undefined
  #ticking: NodeJS.Timeout | undefined
  #ticks = 0
  #turn: Promise<void> = Promise.resolve()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    this.#database = dependencies.engine.database
    this.#open = new OpenStreams(dependencies.limits)
    this.#pages = new PageNotices(this.#database)
    this.#tail = new FeedTail({
      database: this.#database,
      isNeeded: () => this.#open.count > 0,
      onIdle: () => {
        this.#head = undefined
      },
      onBatch: (batch) => this.#take(batch),
      onError: dependencies.onError,
    })
  }

  get count(): number {
    return this.#open.count
  }

  start(): void {
    this.#tail.start()
    this.#ticking = setInterval(
      () => void this.#inTurn(() => this.#tick()).catch(this.#dependencies.onError),
      TICK_MS,
    ).unref()
  }

  /** Ends all streams, so that the server can close. */
  close(): void {
    for (const stream of this.#holders.keys()) stream.end()
  }

  async stop(): Promise<void> {
    clearInterval(this.#ticking)
    this.close()
    await this.#tail.stop()
  }

  /** Opens a stream. Throws what the route would throw, 406 for what cannot be watched and 429. */
  async open(watch: WatchRequest): Promise<FastifyReply> {
    const { reply, holder } = watch
    const release = this.#open.admit(holder.key, holder.application)
    const stream = new EventStream()
    stream.once('close', release)
    try {
      await this.#begin(stream, watch)
    } catch (error) {
      stream.destroy()
      throw error
    }
    return answer(reply, stream)
  }

  /** Opens a stream that says when a page is to be looked at again. Throws 429. */
  async openPage({ reply, caller, holder, ...when }: PageRequest): Promise<FastifyReply> {
    const release = this.#open.admit(holder.key, holder.application)
    const stream = new EventStream()
    stream.once('close', release)
    this.#holders.set(stream, { holder, caller })
    stream.once('close', () => this.#holders.delete(stream))
    try {
      await this.#database.changes.validate()
    } catch (error) {
      stream.destroy()
      throw error
    }
    this.#pages.add(stream, when)
    return answer(reply, stream)
  }

  async #begin(stream: EventStream, { request, route, asked, holder }: WatchRequest): Promise<void> {
    const { engine, captures } = this.#dependencies
    const list = await planWatched(engine, route, asked)
    await captures.capture(list.tables)
    this.#head = laterOf(this.#head, await this.#tail.begin())
    const group = await this.#join(stream, this.#keyOf(list, route, asked), list, asked.caller)
    group.streams.add(stream)
    this.#holders.set(stream, { holder, caller: asked.caller })
    stream.once('close', () => this.#holders.delete(stream))
    const lastId = request.headers['last-event-id']
    await this.#database.changes.validate()
    const { text } = await this.#show(group, () => {
      stream.beginAnew()
      return typeof lastId === 'string' && lastId !== ''
        ? this.#missed(group, lastId, asked.caller)
        : this.#pageOf(group, route, asked)
    })
    // It may have taken a while.
    await this.#database.changes.validate()
    await this.#checkRights([stream])
    stream.begin(Buffer.from(text))
  }

  /** Between two looks at the group: where they follow each other too quickly, none comes between. */
  async #show(group: WatchedGroup, read: () => Promise<First>): Promise<First> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const first = await group.show(read)
      if (first) return first
    }
    return this.#inTurn(async () => defined(await group.show(read)))
  }

  async #pageOf({ cursor }: WatchedGroup, route: Route, asked: ActionRequest): Promise<First> {
    const ids = await idsAnswered(this.#dependencies.engine, route, asked)
    return { ids, text: eventText('page', JSON.stringify({ position: idOf(cursor), ids }), cursor) }
  }

  /** Which page is asked for, and in which order, makes no difference. */
  #keyOf(list: WatchedList, route: Route, { query, caller, url }: ActionRequest): string {
    const { page: _, per_page: __, sort: ___, access_token: ____, ...narrowing } = query
    const viewer = list.isForCaller ? callerKey(caller) : viewerKeyOf(this.#dependencies.engine, route)(caller)
    return `${viewer} ${url} ${JSON.stringify(narrowing)}`
  }

  async #join(stream: EventStream, key: string, list: WatchedList, caller: Caller): Promise<WatchedGroup> {
    const shared = this.#groups.get(key) ?? { group: this.#openGroup(list, caller), users: 0 }
    this.#groups.set(key, shared)
    shared.users += 1
    stream.once('close', async () => {
      shared.users -= 1
      if (shared.users === 0) this.#leaveOut(key, shared)
      const group = await shared.group.catch(() => undefined)
      group?.streams.delete(stream)
      if (shared.users === 0) group?.forget()
    })
    return shared.group
  }

  async #openGroup(list: WatchedList, caller: Caller): Promise<WatchedGroup> {
    const { engine } = this.#dependencies
    const context = () => requestContext(engine, caller)
    const group = new WatchedGroup(list, defined(this.#head), { context, room: this.#room })
    await group.begin()
    return group
  }

  /** What a client missed that comes back; `reset` where that is not known, or is too much. */
  async #missed({ list, cursor }: WatchedGroup, lastId: string, caller: Caller): Promise<First> {
    const reset = { ids: [], text: encodeOutcome({ kind: 'reset', position: cursor.position }, cursor.epoch) }
    const since = readCursor(lastId)
    // What the clock alone has changed meanwhile is not known.
    if (list.dependsOnClock || since?.epoch !== cursor.epoch) return reset
    // Another process was ahead: what this one is about to take was sent by that one, and comes once more.
    if (since.position > cursor.position) {
      const { epoch, position } = await readHead(this.#database)
      return since.epoch === epoch && since.position <= position ? RESUMED : reset
    }
    if (since.position < cursor.position) {
      const first = await readFirstPosition(this.#database)
      if (first === undefined || since.position < first - 1) return reset
    }
    const ids: number[] = []
    let text = ''
    let count = 0
    for (let after = since.position; ; ) {
      const changes = await readFeed(this.#database, after, {
        ...{ limit: REPEATED_AT_A_TIME, tables: list.tables, upTo: cursor.position },
      })
      const outcomes = await outcomesOfChanges(requestContext(this.#dependencies.engine, caller), list, changes)
      count += changes.length
      if (count > MAX_REPEATED || outcomes.some(({ kind }) => kind === 'reset')) return reset
      text += outcomes.map((outcome) => encodeOutcome(outcome, cursor.epoch)).join('')
      for (const outcome of outcomes) if ('record' in outcome) ids.push(outcome.id)
      if (changes.length < REPEATED_AT_A_TIME) return { ids, text: text + heartbeatText(cursor) }
      after = defined(changes.at(-1)).position
    }
  }

  #take(batch: Batch): Promise<void> {
    return this.#inTurn(() => this.#takeNext(batch))
  }

  /** One after another: a batch of changes, and what is looked at by the clock. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.then(
      () => {},
      () => {},
    )
    return done
  }

  async #takeNext({ head, changes, isContinued }: Batch): Promise<void> {
    // What joins from now on has read what these changes have made of its list.
    this.#head = head
    await this.#database.changes.validate()
    await this.#checkRights()
    for (const [key, shared] of this.#groups) {
      const opened = await shared.group.catch(() => undefined)
      if (opened)
        await this.#orEnd({ key, shared, group: opened }, () => this.#advance(opened, head, changes, isContinued))
    }
  }

  async #advance(group: WatchedGroup, head: FeedHead, changes: Batch['changes'], isContinued: boolean): Promise<void> {
    const { epoch, position } = group.cursor
    if (epoch === head.epoch && position >= head.position) return
    const outcomes: readonly Outcome[] =
      isContinued && epoch === head.epoch
        ? await group.apply(changes.filter((change) => change.position > position))
        : await group.restart(head.position)
    group.cursor = head
    await this.#send(group, outcomes)
    if (group.isDue) await this.#send(group, await group.refresh())
  }

  /** One list that cannot be read holds up no other: its streams end, and clients come back to it, in another group. */
  async #orEnd({ key, shared, group }: Listed, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      this.#dependencies.onError(error)
      this.#leaveOut(key, shared)
      for (const stream of group.streams) stream.end()
    }
  }

  /** Nobody joins it any more; another one may have come to have its key. */
  #leaveOut(key: string, shared: Shared): void {
    if (this.#groups.get(key) === shared) this.#groups.delete(key)
  }

  /**
   * Only to those who still have the rights with which it was read: they may have lost them meanwhile. Where that is not known the
   * streams end, so that clients come back for what they were not sent.
   */
  async #send({ streams, cursor }: WatchedGroup, outcomes: readonly Outcome[]): Promise<void> {
    if (outcomes.length === 0) return
    await this.#database.changes.validate()
    try {
      await this.#checkRights(streams)
    } catch (error) {
      for (const stream of streams) stream.end()
      throw error
    }
    const events = Buffer.from(outcomes.map((outcome) => encodeOutcome(outcome, cursor.epoch)).join(''))
    for (const stream of streams) stream.send(events)
  }

  /** Looks at what changes by the clock or by other tables; now and then says that nothing happened, and ends what has lasted long enough. */
  async #tick(): Promise<void> {
    this.#ticks += 1
    const isHeartbeat = this.#ticks % TICKS_PER_HEARTBEAT === 0
    if (this.#holders.size === 0) return
    const all = await Promise.all(
      [...this.#groups].map(async ([key, shared]) => ({
        key,
        shared,
        group: await shared.group.catch(() => undefined),
      })),
    )
    const groups = all.flatMap(({ group, ...listed }): Listed[] => (group ? [{ ...listed, group }] : []))
    const due = groups.filter(({ group }) => group.isDue)
    if (due.length > 0 || isHeartbeat || this.#pages.isNeeded) {
      await this.#database.changes.validate()
      await this.#checkRights()
    }
    for (const listed of due)
      await this.#orEnd(listed, async () => await this.#send(listed.group, await listed.group.refresh()))
    if (isHeartbeat) for (const { group } of groups) this.#beat(group)
    this.#pages.tick({ isHeartbeat })
  }

  #beat({ resumesAt, streams }: WatchedGroup): void {
    const heartbeat = Buffer.from(heartbeatText(resumesAt))
    const now = performance.now()
    for (const stream of streams) {
      stream.send(heartbeat)
      if (stream.endsAt <= now) stream.end()
    }
  }

  /** A token or session that has ended ends its streams; where its rights are others, the lists are to be read again. */
  async #checkRights(streams: Iterable<EventStream> = this.#holders.keys()): Promise<void> {
    const opened = [...streams].flatMap((stream) => {
      const held = this.#holders.get(stream)
      return held ? [{ stream, ...held }] : []
    })
    const byHolder = [...Map.groupBy(opened, ({ holder }) => holder.key).values()]
    // All at once, since those who look at the same time share one look at what has changed.
    const found = await Promise.all(byHolder.map((those) => those[0]?.holder.current()))
    for (const [at, those] of byHolder.entries()) {
      const current = found[at]
      for (const { stream, holder, caller } of those) {
        if (!current) stream.end()
        else if (current === caller) continue
        else if (callerKey(current) === callerKey(caller)) this.#holders.set(stream, { holder, caller: current })
        else stream.end(this.#head && Buffer.from(eventText('reset', '{}', this.#head)))
      }
    }
  }
}

/** Of the feed as it was taken last and as it is read now. */
const laterOf = (taken: FeedHead | undefined, read: FeedHead): FeedHead =>
  taken?.epoch === read.epoch && taken.position > read.position ? taken : read

function answer(reply: FastifyReply, stream: EventStream): FastifyReply {
  reply.headers({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    // Proxies that collect what they pass on would hold events back.
    'x-accel-buffering': 'no',
  })
  endWithClient(reply, stream)
  return reply.send(stream)
}

/** Other answers still go to clients that have closed their side of an HTTP/1.1 connection; a stream would have no end. */
function endWithClient({ request, raw }: FastifyReply, stream: EventStream): void {
  const { httpVersionMajor, socket } = request.raw
  if (raw.destroyed || (httpVersionMajor === 1 && socket.readableEnded)) stream.destroy()
  if (httpVersionMajor !== 1) return
  const end = () => stream.destroy()
  socket.once('end', end)
  stream.once('close', () => socket.removeListener('end', end))
}
