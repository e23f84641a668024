import { message } from '../../base/languages/say.ts'
import { HttpError, tooManyRequests } from '../../errors.ts'
import { runIds } from '../../rest/read/run.ts'
import type { RequestContext } from '../../rest/request-context.ts'
import type { WatchedList } from '../../rest/watched.ts'
import type { Change, FeedHead } from '../feed.ts'
import type { EventStream } from './event-stream.ts'
import { MAX_OF_PERSON, type MemberRoom, type NoRoom, type RoomOwner } from './member-room.ts'
import {
  type ChangedRecord,
  changedRecords,
  leftOut,
  mayHaveMoved,
  type Outcome,
  outcomesOfChanges,
  readChanged,
} from './outcomes.ts'

/** If more records come at once, `reset` is sent. */
const MAX_CREATED = 5_000
/** Maximum share of time for reading the ids of the list again. */
const MAX_SHARE_OF_READING = 0.1
const MIN_PAUSE_MS = 1_000
const CLOCK_MS = 10_000

type Shared = { readonly context: () => RequestContext; readonly room: MemberRoom; readonly owner: RoomOwner }

/**
 * A list as callers with the same rights see it, and all streams that watch it. Each change is read once for all of them. Remembers
 * the ids of the list to know whether a changed record was in it before.
 */
export class WatchedGroup {
  readonly list: WatchedList
  readonly streams = new Set<EventStream>()
  cursor: FeedHead
  /** Position of the last change that concerned the list. */
  changedAt: number
  #isClosed = false
  #moved = Promise.withResolvers<void>()
  owner: RoomOwner
  readonly #context: () => RequestContext
  readonly #room: MemberRoom
  /** Undefined if the list has all records of its resource, or too many to remember. */
  #members: Set<number> | undefined
  #looks = 0
  #readAgainAt = Infinity
  #restsUntil = 0
  /** When the ids were read, by the database's clock. */
  #readAt = new Date(0)
  #taken = 0
  /** Position before the first change of other tables that is not applied yet. */
  #heldAt: number | undefined

  constructor(list: WatchedList, head: FeedHead, { context, room, owner }: Shared) {
    this.list = list
    this.cursor = head
    this.changedAt = head.position
    this.owner = owner
    this.#context = context
    this.#room = room
  }

  /** Reads the ids of the list. Throws 406 or 429 if there are too many and the list depends on other tables or the clock. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Resolves when the cursor moves or the group closes. */
  get moved(): Promise<void> {
    return this.#moved.promise
  }

  moveTo(head: FeedHead): void {
    this.cursor = head
    this.#moved.resolve()
    this.#moved = Promise.withResolvers()
  }

  /** Ends the streams of the group. Their clients reconnect. */
  close(): void {
    this.#isClosed = true
    this.#moved.resolve()
    for (const stream of this.streams) stream.end()
  }

  async begin(): Promise<void> {
    if (this.list.conditions.length === 0) return
    const ids = await this.#readMembers()
    const refused = this.#remember(new Set(ids))
    if (refused && (this.list.tables.length > 1 || this.list.dependsOnClock)) throw noRoom(refused)
    this.#readAgainAt = this.#nextByClock()
  }

  forget(): void {
    this.#room.release(this.owner, this.#taken)
    this.#taken = 0
    this.#members = undefined
  }

  changeOwner(owner: RoomOwner): void {
    this.#room.move(this.owner, owner, this.#taken)
    this.owner = owner
  }

  async apply(changes: readonly Change[]): Promise<readonly Outcome[]> {
    const { list } = this
    const those = changes.filter(({ table }) => list.tables.includes(table))
    const last = those.at(-1)
    if (!last) return []
    this.changedAt = last.position
    const members = this.#members
    if (!members) return outcomesOfChanges(this.#context(), list, those)
    if (mayHaveMoved(list, those)) {
      this.#readAgainAt = 0
      this.#heldAt ??= this.cursor.position
    }
    const changed = changedRecords(those, list.resource.table)
    const found = await readChanged(this.#context(), list, changed)
    // The ids may have been read after this change, and a client that resumes may not know of it.
    const isUnsure = ({ since }: ChangedRecord) => since <= this.#readAt
    const lost = changed.filter((one) => isUnsure(one) && !one.isNew && !found.has(one.id) && !members.has(one.id))
    const gone = await leftOut(this.#context(), list, lost)
    this.#looks += 1
    const outcomes = changed.flatMap((one): Outcome[] => {
      const { id } = one
      const record = found.get(id)
      const wasMember = members.has(id) && !(one.isNew && isUnsure(one))
      const position = Math.min(one.position, this.#heldAt ?? one.position)
      if (record === undefined) return members.delete(id) || gone.has(id) ? [{ kind: 'destroy', position, id }] : []
      members.add(id)
      return [{ kind: wasMember ? 'update' : 'create', position, id, record }]
    })
    const refused = this.#remember(members)
    if (refused) throw noRoom(refused)
    return outcomes
  }

  #remember(ids: Set<number>): NoRoom | undefined {
    const refused = this.#room.take(this.owner, ids.size, this.#taken)
    if (refused) return refused
    this.#taken = ids.size
    this.#members = ids
    return undefined
  }

  /** Position after which a client that disconnects now can resume without a gap. */
  get resumesAt(): FeedHead {
    return { ...this.cursor, position: this.#heldAt ?? this.cursor.position }
  }

  get isDue(): boolean {
    return this.#members !== undefined && performance.now() >= Math.max(this.#readAgainAt, this.#restsUntil)
  }

  async refresh(): Promise<readonly Outcome[]> {
    const members = this.#members
    if (!members) return []
    const { position } = this.cursor
    const ids = new Set(await this.#readMembers())
    const came = [...ids].filter((id) => !members.has(id))
    const isTooMuch = came.length > MAX_CREATED
    const read = isTooMuch ? [] : came.map((id) => ({ id }))
    // Reads everything before it remembers anything. After a failure, the next refresh finds the same.
    const found = await readChanged(this.#context(), this.list, read)
    const went = [...members].filter((id) => !ids.has(id))
    const refused = this.#remember(ids)
    if (refused) throw noRoom(refused)
    this.#readAgainAt = this.#nextByClock()
    this.#looks += 1
    this.#heldAt = undefined
    if (isTooMuch) return [{ kind: 'reset', position }]
    return [
      ...went.map((id): Outcome => ({ kind: 'destroy', position, id })),
      ...came.flatMap((id): Outcome[] => {
        const record = found.get(id)
        return record === undefined ? [] : [{ kind: 'create', position, id, record }]
      }),
    ]
  }

  /**
   * Reads records for a client, and remembers them: a record that was created after the last refresh and deleted before the next one
   * is destroyed for this client. Returns undefined if changes were applied meanwhile.
   */
  async show<T extends { readonly ids: readonly number[] }>(read: () => Promise<T>): Promise<T | undefined> {
    const looks = this.#looks
    const shown = await read()
    if (!this.#members) return shown
    if (looks !== this.#looks) return undefined
    this.remember(shown.ids)
    return shown
  }

  remember(ids: readonly number[]): void {
    for (const id of ids) this.#members?.add(id)
  }

  async restart(position: number): Promise<readonly Outcome[]> {
    await this.begin()
    this.changedAt = position
    this.#looks += 1
    this.#heldAt = undefined
    return [{ kind: 'reset', position }]
  }

  async #readMembers(): Promise<readonly number[]> {
    const begun = performance.now()
    const context = this.#context()
    const ids = await runIds(context, this.list, this.#room.limit)
    const ended = performance.now()
    const [row] = await context.handle.rows('select extract(epoch from clock_timestamp()) * 1000')
    this.#readAt = new Date(Math.ceil(Number(row?.[0])))
    this.#restsUntil = ended + Math.max(MIN_PAUSE_MS, (ended - begun) / MAX_SHARE_OF_READING)
    return ids
  }

  #nextByClock(): number {
    return this.list.dependsOnClock ? performance.now() + CLOCK_MS : Infinity
  }
}

const RETRY_SECONDS = 10

function noRoom(refused: NoRoom): HttpError {
  if (refused === 'list')
    return new HttpError(406, 'This list is too long to be watched as it is: narrow it by a filter.')
  const text =
    refused === 'person'
      ? message(
          'The lists that you watch have more than {most} records in all. Close streams of long lists, or narrow them by filters.',
          { most: MAX_OF_PERSON },
        )
      : 'The service watches as many records as it can. Narrow this list by a filter, or try again later.'
  return tooManyRequests(text, RETRY_SECONDS, 'streams')
}
