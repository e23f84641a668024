import type { FastifyReply, FastifyRequest } from 'fastify'
import { defined } from '../../base/defined.ts'
import type { Database } from '../../database/database.ts'
import { isDatabaseAway } from '../../database/errors.ts'
import { runForEveryone } from '../../database/turns.ts'
import type { Caller } from '../../http/caller.ts'
import type { ActionRequest } from '../../rest/action-request.ts'
import { callerKey, callerKeyFor, viewerKeyOf } from '../../rest/cache/answer-key.ts'
import type { Engine } from '../../rest/engine.ts'
import { requestContext } from '../../rest/request-context.ts'
import type { Route } from '../../rest/route-table.ts'
import { idsAnswered, planWatched, type WatchedList } from '../../rest/watched.ts'
import type { Captures } from '../capture.ts'
import { countMissed, type FeedHead, readFirstPosition, readHead } from '../feed.ts'
import { type Batch, FeedTail } from '../tail.ts'
import { Backlog } from './backlog.ts'
import { encodeOutcome, eventText, heartbeatText, idOf, readCursor } from './encode-event.ts'
import { EventStream } from './event-stream.ts'
import { OpenStreams, type StreamLimits, type StreamOwner } from './limits.ts'
import { listKey } from './list-key.ts'
import { MemberRoom, type RoomOwner } from './member-room.ts'
import type { Outcome } from './outcomes.ts'
import { type LookAgain, PageNotices } from './page-notices.ts'
import { WatchedGroup } from './watched-group.ts'

const TICK_MS = 1_000
const TICKS_PER_HEARTBEAT = 20
/** A client that has missed more changes gets `reset`. */
const MAX_REPEATED = 20_000
/** How often the first events are read again because changes came meanwhile. */
const MAX_ATTEMPTS = 3

type Dependencies = {
  readonly engine: Engine
  readonly captures: Captures
  readonly limits: StreamLimits
  readonly onError: (error: unknown) => void
  readonly onCut: (holder: StreamHolder) => void
}

export type StreamHolder = StreamOwner & {
  /** Returns the caller as of now, or undefined if the token or session has ended. */
  current(): Promise<Caller | undefined>
}

export type WatchRequest = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly route: Route
  readonly asked: ActionRequest
  readonly holder: StreamHolder
}

export type PageRequest = LookAgain & Pick<WatchRequest, 'reply' | 'holder'> & { readonly caller: Caller }

type First = { readonly ids: readonly number[]; readonly text: string }

const RESUMED = Buffer.from(': resumed\n\n')

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Keeps proxies from buffering events.
  'x-accel-buffering': 'no',
}

/** A group with its open and opening streams, and the owner that each stream counts for. */
type Shared = { readonly group: Promise<WatchedGroup>; readonly users: Map<EventStream, RoomOwner> }
type Listed = { readonly key: string; readonly shared: Shared; readonly group: WatchedGroup }

type Held = { readonly holder: StreamHolder; readonly caller: Caller }

/** Sends the changes of lists and records as Server-Sent Events (spec: streams 1). */
export class Streams {
  readonly #dependencies: Dependencies
  readonly #database: Database
  readonly #open: OpenStreams
  readonly #tail: FeedTail
  readonly #room = new MemberRoom()
  readonly #pages: PageNotices
  readonly #groups = new Map<string, Shared>()
  readonly #holders = new Map<EventStream, Held>()
  #head: FeedHead | undefined
  #ticking: NodeJS.Timeout | undefined
  #ticks = 0
  #cut = 0
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
      onBatch: (batch) => this.#inTurn(() => this.#take(batch)),
      onError: dependencies.onError,
    })
  }

  get count(): number {
    return this.#open.count
  }

  get cut(): number {
    return this.#cut
  }

  start(): void {
    this.#tail.start()
    this.#ticking = setInterval(
      () => void this.#inTurn(() => this.#tick()).catch(this.#dependencies.onError),
      TICK_MS,
    ).unref()
  }

  close(): void {
    for (const stream of this.#holders.keys()) stream.end()
  }

  async stop(): Promise<void> {
    clearInterval(this.#ticking)
    this.close()
    await this.#tail.stop()
  }

  /** Opens a stream of a list. Throws the errors of its route, 406 if the list cannot be watched, and 429. */
  open(watch: WatchRequest): Promise<FastifyReply> {
    return this.#openStream(watch, (stream) => this.#begin(stream, watch))
  }

  openPage({ reply, caller, holder, ...when }: PageRequest): Promise<FastifyReply> {
    return this.#openStream({ reply, holder }, async (stream) => {
      this.#hold(stream, { holder, caller })
      await this.#database.changes.validate()
      this.#pages.add(stream, when)
    })
  }

  async #openStream(
    { reply, holder }: Pick<WatchRequest, 'reply' | 'holder'>,
    begin: (stream: EventStream) => Promise<void>,
  ): Promise<FastifyReply> {
    const release = this.#open.admit(holder)
    const stream = new EventStream()
    stream.once('close', release)
    try {
      await begin(stream)
    } catch (error) {
      stream.destroy()
      throw error
    }
    endWithClient(reply, stream)
    return reply.headers(STREAM_HEADERS).send(stream)
  }

  #hold(stream: EventStream, held: Held): void {
    this.#holders.set(stream, held)
    stream.once('close', () => this.#holders.delete(stream))
  }

  async #begin(stream: EventStream, { request, route, asked, holder }: WatchRequest): Promise<void> {
    const { engine, captures } = this.#dependencies
    const list = await planWatched(engine, route, asked)
    await captures.capture(list.tables)
    this.#head = laterOf(this.#head, await this.#tail.begin())
    const group = await this.#join(stream, this.#keyOf(list, route, asked), list, asked.caller, holder)
    this.#hold(stream, { holder, caller: asked.caller })
    const lastId = request.headers['last-event-id']
    await this.#database.changes.validate()
    if (typeof lastId === 'string' && lastId !== '') {
      await this.#resume(stream, group, lastId)
      return
    }
    group.streams.add(stream)
    const { text } = await this.#show(group, () => {
      stream.beginAnew()
      return this.#pageOf(group, route, asked)
    })
    // Reading the page may have taken a while.
    await this.#database.changes.validate()
    await this.#checkRights([stream])
    stream.begin(Buffer.from(text))
  }

  async #resume(stream: EventStream, group: WatchedGroup, lastId: string): Promise<void> {
    const since = await this.#resumeAfter(group, lastId)
    await this.#database.changes.validate()
    await this.#checkRights([stream])
    stream.begin(RESUMED)
    void this.#catchUp(stream, group, since)
  }

  /** Reads the first event until no changes are applied meanwhile. After some attempts, no changes are applied during the read. */
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

  /** Lists that differ only in page, order or URL share a group. */
  #keyOf(list: WatchedList, route: Route, { caller }: ActionRequest): string {
    const viewerKey = list.isForCaller ? callerKeyFor(route) : viewerKeyOf(this.#dependencies.engine, route)
    return `${viewerKey(caller)} ${route.path} ${listKey(list)}`
  }

  async #join(
    stream: EventStream,
    key: string,
    list: WatchedList,
    caller: Caller,
    { person, application }: StreamHolder,
  ): Promise<WatchedGroup> {
    const owner = { person, isPage: application === undefined }
    // All streams of the group wait, so opening it must not wait behind one person's other queries.
    const open = () => runForEveryone(() => this.#openGroup(list, caller, owner))
    const shared = this.#groups.get(key) ?? { group: open(), users: new Map() }
    this.#groups.set(key, shared)
    shared.users.set(stream, owner)
    stream.once('close', async () => {
      shared.users.delete(stream)
      if (shared.users.size === 0) this.#removeGroup(key, shared)
      const group = await shared.group.catch(() => undefined)
      group?.streams.delete(stream)
      const [next] = shared.users.values()
      if (!next) group?.forget()
      else if (group?.owner === owner) group.changeOwner(next)
    })
    return shared.group
  }

  async #openGroup(list: WatchedList, caller: Caller, owner: RoomOwner): Promise<WatchedGroup> {
    const { engine } = this.#dependencies
    const context = () => requestContext(engine, caller)
    const group = new WatchedGroup(list, defined(this.#head), { context, room: this.#room, owner })
    await group.begin()
    return group
  }

  async #resumeAfter({ list, cursor }: WatchedGroup, lastId: string): Promise<FeedHead | undefined> {
    const since = readCursor(lastId)
    // The feed has no changes that only time has caused.
    if (list.dependsOnClock || since?.epoch !== cursor.epoch) return undefined
    // The feed has no changes from before a table was captured.
    if (since.position < (await this.#dependencies.captures.capturedSince(list.tables))) return undefined
    if (since.position > cursor.position) {
      const { epoch, position } = await readHead(this.#database)
      return since.epoch === epoch && since.position <= position ? since : undefined
    }
    if (since.position === cursor.position) return since
    const first = await readFirstPosition(this.#database)
    if (first === undefined || since.position < first - 1) return undefined
    const missed = await countMissed(this.#database, since.position, list.tables, MAX_REPEATED + 1)
    return missed > MAX_REPEATED ? undefined : since
  }

  /** Sends missed events from the feed, as the reader reads, until the stream can join its group. Sends `reset` without `since`. */
  async #catchUp(stream: EventStream, group: WatchedGroup, since: FeedHead | undefined): Promise<void> {
    const backlog = new Backlog(group.list)
    let position = since?.position
    const canContinue = () => !stream.isEnding && !group.isClosed && stream.endsAt > performance.now()
    /** Sends the next page. Returns whether the stream may join its group. */
    const sendPage = async (isInTurn: boolean): Promise<boolean> => {
      const { cursor } = group
      const caller = this.#holders.get(stream)?.caller
      if (position === undefined || since?.epoch !== cursor.epoch || !caller) return true
      if (position >= group.changedAt) return true
      const context = requestContext(this.#dependencies.engine, caller)
      const page = isInTurn
        ? await backlog.readImmediately(context, position, cursor)
        : await backlog.read(context, position, cursor)
      if (page.isReset) {
        position = undefined
        return true
      }
      await this.#database.changes.validate()
      await this.#checkRights([stream])
      group.remember(page.ids)
      stream.send(page.events)
      position = page.upTo
      return page.isLast
    }
    // Another process that was ahead may have served the client. The group does not know the records that it sent.
    const isAhead = () =>
      position !== undefined && since?.epoch === group.cursor.epoch && position > group.cursor.position
    try {
      await stream.untilRead()
      while (canContinue() && isAhead()) await group.moved
      while (canContinue()) {
        if (await sendPage(false)) {
          // The group does not advance meanwhile, so no change is lost between the last page and the next event.
          const hasJoined = await this.#inTurn(async () => {
            if (!canContinue() || !(await sendPage(true))) return false
            const { resumesAt } = group
            const isReset = position === undefined || since?.epoch !== resumesAt.epoch
            stream.send(Buffer.from(isReset ? eventText('reset', '{}', group.cursor) : heartbeatText(resumesAt)))
            group.streams.add(stream)
            return true
          })
          if (hasJoined) return
        }
        await stream.untilRead()
      }
      stream.end()
    } catch (error) {
      if (!isDatabaseAway(error)) this.#dependencies.onError(error)
      stream.end()
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(() => runForEveryone(work))
    this.#turn = done.then(
      () => {},
      () => {},
    )
    return done
  }

  async #take({ head, changes, isContinued }: Batch): Promise<void> {
    // A group that opens from now on reads the outcome of these changes.
    this.#head = head
    await this.#database.changes.validate()
    await this.#checkRights()
    for (const [key, shared] of this.#groups) {
      const opened = await shared.group.catch(() => undefined)
      if (opened)
        await this.#endOnFailure({ key, shared, group: opened }, () =>
          this.#advance(opened, head, changes, isContinued),
        )
    }
  }

  async #advance(group: WatchedGroup, head: FeedHead, changes: Batch['changes'], isContinued: boolean): Promise<void> {
    const { epoch, position } = group.cursor
    if (epoch === head.epoch && position >= head.position) return
    const before = group.resumesAt
    const outcomes: readonly Outcome[] =
      isContinued && epoch === head.epoch
        ? await group.apply(changes.filter((change) => change.position > position))
        : await group.restart(head.position)
    group.moveTo(head)
    await this.#send(group, outcomes, before)
    if (group.isDue) await this.#refresh(group)
  }

  async #refresh(group: WatchedGroup): Promise<void> {
    const before = group.resumesAt
    await this.#send(group, await group.refresh(), before)
  }

  /** Ends the streams of a list that cannot be read, so that it does not hold up other lists. Their clients reconnect. */
  async #endOnFailure({ key, shared, group }: Listed, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      this.#dependencies.onError(error)
      this.#removeGroup(key, shared)
      group.close()
    }
  }

  /** Removes a group so that no stream joins it. Another group may have its key already. */
  #removeGroup(key: string, shared: Shared): void {
    if (this.#groups.get(key) === shared) this.#groups.delete(key)
  }

  /**
   * Sends events to the readers whose rights have not changed since. If the rights cannot be checked, the streams end and their
   * clients resume. A reader with too much unread gets the events from the feed.
   */
  async #send(group: WatchedGroup, outcomes: readonly Outcome[], before: FeedHead): Promise<void> {
    const { streams, cursor } = group
    if (outcomes.length === 0) return
    try {
      await this.#database.changes.validate()
      await this.#checkRights(streams)
    } catch (error) {
      for (const stream of streams) stream.end()
      throw error
    }
    const events = Buffer.from(outcomes.map((outcome) => encodeOutcome(outcome, cursor.epoch)).join(''))
    for (const stream of [...streams]) {
      if (stream.offer(events)) continue
      streams.delete(stream)
      void this.#catchUp(stream, group, group.list.dependsOnClock ? undefined : before)
    }
  }

  async #tick(): Promise<void> {
    this.#ticks += 1
    const isHeartbeat = this.#ticks % TICKS_PER_HEARTBEAT === 0
    if (this.#holders.size === 0) return
    this.#cutStalled()
    const opened = [...this.#groups].map(async ([key, shared]): Promise<readonly Listed[]> => {
      const group = await shared.group.catch(() => undefined)
      return group ? [{ key, shared, group }] : []
    })
    const groups = (await Promise.all(opened)).flat()
    const due = groups.filter(({ group }) => group.isDue)
    if (due.length > 0 || isHeartbeat || this.#pages.isNeeded) {
      await this.#database.changes.validate()
      await this.#checkRights()
    }
    for (const listed of due) await this.#endOnFailure(listed, () => this.#refresh(listed.group))
    if (isHeartbeat) {
      for (const { group } of groups) this.#sendHeartbeat(group)
      const tables = groups.flatMap(({ group }) => group.list.tables)
      this.#dependencies.captures.markUsed(tables).catch(this.#dependencies.onError)
    }
    this.#pages.tick({ isHeartbeat })
  }

  #cutStalled(): void {
    const now = performance.now()
    for (const [stream, { holder }] of this.#holders) {
      if (!stream.isStalled(now)) continue
      this.#cut += 1
      this.#dependencies.onCut(holder)
      stream.cut()
    }
  }

  #sendHeartbeat({ resumesAt, streams }: WatchedGroup): void {
    const heartbeat = Buffer.from(heartbeatText(resumesAt))
    const now = performance.now()
    for (const stream of streams) {
      stream.offer(heartbeat)
      if (stream.endsAt <= now) stream.end()
    }
  }

  /** Ends streams whose token or session has ended, and sends `reset` to those whose rights have changed. */
  async #checkRights(streams: Iterable<EventStream> = this.#holders.keys()): Promise<void> {
    const opened = [...streams].flatMap((stream) => {
      const held = this.#holders.get(stream)
      return held ? [{ stream, ...held }] : []
    })
    const byHolder = [...Map.groupBy(opened, ({ holder }) => holder.key).values()]
    // Concurrent lookups share one validation.
    const found = await Promise.all(byHolder.map((those) => those[0]?.holder.current()))
    for (const [at, those] of byHolder.entries()) {
      const current = found[at]
      for (const { stream, ...held } of those) {
        const { caller } = held
        if (!current) stream.end()
        else if (current === caller) continue
        else if (callerKey(current) === callerKey(caller)) this.#holders.set(stream, { ...held, caller: current })
        else stream.end(this.#head && Buffer.from(eventText('reset', '{}', this.#head)))
      }
    }
  }
}

const laterOf = (taken: FeedHead | undefined, read: FeedHead): FeedHead =>
  taken?.epoch === read.epoch && taken.position > read.position ? taken : read

/** Ends the stream when an HTTP/1.1 client half-closes its connection. Otherwise the stream would never end. */
function endWithClient({ request }: FastifyReply, stream: EventStream): void {
  const { httpVersionMajor, socket } = request.raw
  if (httpVersionMajor !== 1) return
  if (socket.readableEnded) stream.destroy()
  const end = () => stream.destroy()
  socket.once('end', end)
  stream.once('close', () => socket.removeListener('end', end))
}
