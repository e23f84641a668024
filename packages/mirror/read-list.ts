import type { Database, Handle } from '@campus/engine/database/database'
import type { ReadColumns } from '@campus/engine/rest/declare/fields/field'
import { MAX_INTEGER } from '@campus/engine/rest/declare/fields/kinds'
import type { Registry } from '@campus/engine/rest/declare/registry'
import { forgetFlag, type HiddenFlag, POSITION } from './hidden-flags.ts'
import type { MirroredList } from './lists.ts'
import { isId, type ReadRecord, RecordReader } from './record-reader.ts'
import { type Page, type Source, SourceRefused, Unreadable } from './source.ts'
import * as staging from './stage.ts'

const PAGE_SIZE = 100
/** A transaction that commits late has older changes than some that were read. */
const OVERLAP_MILLISECONDS = 300_000
/** Rows that move between pages may repeat a few pages. A list that never ends repeats many. */
const MAX_REPEATED_PAGES = 10
/** Limits of the number and length of unknown names in the report. */
const MAX_UNKNOWN = 100
const MAX_NAME = 60
const END_OF_TIME = '9999-12-31T23:59:59.999Z'

type ReaderOptions = {
  readonly database: Database
  readonly source: Source
  readonly registry: Registry
  readonly onPage: (read: number, total: number) => void
  readonly isWhole: boolean
}

/** Reads the changes of a list since its last read, or all of it, and stages each page with the position. */
export class ListReader {
  readonly #list: MirroredList
  readonly #options: ReaderOptions
  readonly #reader: RecordReader
  readonly #unknown = new Set<string>()
  readonly #seen = new Set<string>()
  #repeated = 0
  #read = 0
  #total = 0

  constructor(list: MirroredList, options: ReaderOptions) {
    this.#list = list
    this.#options = options
    this.#reader = new RecordReader(options.registry, list.resource)
  }

  /** Returns the number of records and the unknown names in them. Throws Unreadable if the service does not show the list. */
  async run(): Promise<{ readonly read: number; readonly unknown: readonly string[] }> {
    const { database, isWhole } = this.#options
    const { resource, hasChangeTimes, isByIds } = this.#list
    let position = await staging.positionOf(database, resource.name)
    if (position.pass !== 'done') {
      if (position.pass === null) position = await this.#begin(position, isWhole)
      if (position.pass === 'changes') {
        await this.#readChanges(position)
        await this.#readAgain()
        await this.#findDifferences()
      } else if (isByIds) await this.#readByIds(position)
      else await this.#readByPages(position)
      const { newest } = await staging.positionOf(database, resource.name)
      const readUpTo = hasChangeTimes ? newest : null
      await staging.putPosition(database, resource.name, { ...position, pass: 'done', newest, readUpTo })
    }
    return { read: this.#read, unknown: [...this.#unknown] }
  }

  /**
   * Reads the records without the default value of a flag. Returns false if the source ignores the filter. Throws Unreadable if
   * the source refuses the filter. Each run reads the whole list, since a change of the flag may not touch `updated_at`.
   */
  async readFlag(flag: HiddenFlag): Promise<boolean> {
    const { database } = this.#options
    const { filter, column, usual, keepsOrder } = flag
    await forgetFlag(database, flag)
    const listed = { [`filter[${filter}]`]: String(!usual) }
    for (let after = 0, isOver = false; !isOver; ) {
      const page = await this.#pageAfter(after, listed)
      if (after === 0 && (await this.#ignores(flag, this.#idsOf(page)))) return false
      isOver = isLast(page)
      after = this.#greatestOf(page, after)
      await this.#stageFlag(page, () => ({ [column]: !usual }))
    }
    if (keepsOrder) await this.#readOrder({ ...listed, sort: 'updated_at,id' }, column, !usual)
    return true
  }

  /** Reads the order of the records with a flag. A source that does not sort by `updated_at` leaves them in the order of ids. */
  async #readOrder(query: Readonly<Record<string, string>>, column: string, value: boolean): Promise<void> {
    try {
      for (let number = 1, isOver = false; !isOver; number += 1) {
        const page = await this.#nextPage({ ...query, 'page[number]': number, 'page[size]': PAGE_SIZE })
        isOver = isLast(page, number)
        const first = (number - 1) * PAGE_SIZE
        await this.#stageFlag(page, (at) => ({ [column]: value, [POSITION]: first + at }))
      }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
    }
  }

  /** Reports whether the source ignores the filter, so that it lists these records with the default value of the flag, too. */
  async #ignores({ filter, usual }: HiddenFlag, ids: readonly number[]): Promise<boolean> {
    if (ids.length === 0) return false
    const others = await this.#page({
      [`filter[${filter}]`]: String(usual),
      'filter[id]': ids.join(','),
      'page[size]': PAGE_SIZE,
    })
    const also = new Set(this.#idsOf(others))
    return ids.every((id) => also.has(id))
  }

  async #stageFlag(page: Page, columnsAt: (at: number) => ReadColumns): Promise<void> {
    const { table } = this.#list.resource
    const records = page.records.flatMap((record) => this.#reader.read(record) ?? [])
    await this.#options.database.transaction((tx) =>
      staging.stage(
        tx,
        records.map(({ id, ...record }, at) => ({
          ...record,
          id,
          rows: [...record.rows, { table, id, columns: columnsAt(at) }],
        })),
      ),
    )
  }

  async #begin(before: staging.Position, isWhole: boolean): Promise<staging.Position> {
    const { resource, hasChangeTimes } = this.#list
    const newest = hasChangeTimes ? await this.#newest() : null
    const since = before.readUpTo === null ? null : overlapping(before.readUpTo)
    const pass = hasChangeTimes && since !== null && !isWhole ? 'changes' : 'whole'
    const position: staging.Position = { ...before, pass, after: 0, page: 1, since, newest }
    await staging.putPosition(this.#options.database, resource.name, position)
    return position
  }

  /** Returns the latest change of a record, but not later than now. A change in the future would hide the changes until then. */
  async #newest(): Promise<string | null> {
    const { records, answeredAt } = await this.#page({ sort: '-updated_at', 'page[size]': 1 })
    const [record] = records.map((one) => this.#reader.plain(one))
    const time = typeof record?.updated_at === 'string' ? Date.parse(record.updated_at) : Number.NaN
    return new Date(Number.isNaN(time) ? 0 : Math.min(time, answeredAt)).toISOString()
  }

  async #readByIds(begun: staging.Position): Promise<void> {
    let position = begun
    for (let isOver = false; !isOver; ) {
      const from = position.after + 1
      const page = await this.#pageAfter(position.after)
      isOver = isLast(page)
      position = { ...position, after: this.#greatestOf(page, position.after) }
      this.#total = this.#read + (page.total ?? page.records.length)
      await this.#stage(page, position, { from, to: isOver ? MAX_INTEGER : position.after })
    }
  }

  #pageAfter(id: number, query: Readonly<Record<string, string>> = {}): Promise<Page> {
    return this.#page({ ...query, sort: 'id', 'range[id]': `${id + 1},${MAX_INTEGER}`, 'page[size]': PAGE_SIZE })
  }

  /** Returns the greatest id of a page. Throws SourceRefused if the next page would be the same. */
  #greatestOf(page: Page, after: number): number {
    const greatest = Math.max(after, ...this.#idsOf(page))
    if (!isLast(page) && greatest === after) throw this.#refuse(`does not go on after id ${greatest}`)
    return greatest
  }

  async #readByPages(begun: staging.Position): Promise<void> {
    const { resource } = this.#list
    let position = begun
    for (let isOver = false; !isOver; ) {
      const sort = resource.index.sort.includes('id') ? 'id' : String(resource.index.defaultSort)
      const page = await this.#nextPage({ sort, 'page[number]': position.page, 'page[size]': PAGE_SIZE })
      isOver = isLast(page, position.page)
      position = { ...position, page: position.page + 1 }
      this.#total = page.total ?? this.#read
      await this.#stage(page, position)
    }
    await staging.markUnread(this.#options.database, resource.table)
  }

  async #readChanges(begun: staging.Position): Promise<void> {
    let position = begun
    for (let isOver = false; !isOver; ) {
      const page = await this.#nextPage({
        sort: 'updated_at,id',
        'range[updated_at]': `${position.since},${END_OF_TIME}`,
        'page[number]': position.page,
        'page[size]': PAGE_SIZE,
      })
      isOver = isLast(page, position.page) || isLast(page)
      const last = this.#reader.plain(page.records.at(-1))?.updated_at
      // Rows that change meanwhile move to the end, so each page begins at the last time that was read.
      position =
        typeof last === 'string' && last !== position.since
          ? { ...position, since: last, page: 1 }
          : { ...position, page: position.page + 1 }
      this.#total = this.#read + (page.total ?? page.records.length)
      await this.#stage(page, position)
    }
  }

  /** Reads hidden and refused records again, since they may be shown now without a change. */
  async #readAgain(): Promise<void> {
    const { resource } = this.#list
    const filters: readonly string[] = resource.index.filter ?? resource.index.sort
    if (!filters.includes('id')) return
    const ids = await staging.idsWithProblems(this.#options.database, resource.name)
    for (let at = 0; at < ids.length; at += PAGE_SIZE) {
      const some = ids.slice(at, at + PAGE_SIZE)
      await this.#stage(await this.#page({ 'filter[id]': some.join(','), 'page[size]': PAGE_SIZE }))
    }
  }

  /** Compares counts of listed and known records, and halves each range in which they differ. */
  async #findDifferences(): Promise<void> {
    const { database } = this.#options
    const { resource } = this.#list
    const ranges: [from: number, to: number][] = [[1, MAX_INTEGER]]
    for (let range = ranges.pop(); range; range = ranges.pop()) {
      const [from, to] = range
      const page = await this.#page({ sort: 'id', 'range[id]': `${from},${to}`, 'page[size]': PAGE_SIZE })
      const { length } = page.records
      const total = page.total ?? (length < PAGE_SIZE ? length : undefined)
      if (total === undefined) throw this.#refuse('does not say how many records it has')
      if (total === (await staging.countKnown(database, resource.name, resource.table, from, to))) continue
      if (total <= length) await this.#stage(page, undefined, { from, to })
      else {
        const greatest = Math.min(
          to,
          Math.max(await staging.greatestKnown(database, resource.table), ...this.#idsOf(page)),
        )
        const middle = Math.floor((from + greatest) / 2)
        if (middle < from || middle >= to)
          throw this.#refuse(`says that it has ${total} records with the ids ${from} to ${to}, and does not list them`)
        ranges.push([from, middle], [middle + 1, to])
      }
    }
  }

  async #stage(
    page: Page,
    position?: staging.Position,
    range?: { readonly from: number; readonly to: number },
  ): Promise<void> {
    const { database, onPage } = this.#options
    const { resource } = this.#list
    const records = page.records.flatMap((record) => this.#reader.read(record) ?? [])
    for (const name of records.flatMap(({ unknown }) => unknown)) {
      if (this.#unknown.size < MAX_UNKNOWN) this.#unknown.add(name.slice(0, MAX_NAME))
    }
    await database.transaction(async (tx: Handle) => {
      if (range) await staging.markGone(tx, { table: resource.table, ...range, listed: this.#idsOf(page) })
      await staging.stage(tx, records)
      await staging.putProblems(tx, resource.name, this.#idsOf(page), records.flatMap(problemsOf))
      if (position) await staging.putPosition(tx, resource.name, position)
    })
    this.#read += page.records.length
    onPage(this.#read, Math.max(this.#total, this.#read))
  }

  #page(query: Readonly<Record<string, string | number>>): Promise<Page> {
    const { path, narrowed } = this.#list
    return this.#options.source.page(path, { ...narrowed, ...query })
  }

  /** Requests a page of a list that is read by page numbers. */
  async #nextPage(query: Readonly<Record<string, string | number>>): Promise<Page> {
    const page = await this.#page(query)
    if (page.records.length > 0 && this.#seen.has(page.digest)) this.#repeated += 1
    if (this.#repeated > MAX_REPEATED_PAGES) throw this.#refuse('gives the same pages again and again')
    this.#seen.add(page.digest)
    return page
  }

  /** Returns the error for a service that contradicts itself, so that reading on would never end. */
  #refuse(what: string): SourceRefused {
    return new SourceRefused(`${this.#options.source.url}${this.#list.path} ${what}.`)
  }

  #idsOf = ({ records }: Page): readonly number[] =>
    records.flatMap((record) => {
      const { id } = this.#reader.plain(record) ?? {}
      return isId(id) ? [id] : []
    })
}

/** Reports whether the page with this number, or with these ids, is the last. */
const isLast = ({ records, total }: Page, number?: number): boolean =>
  records.length === 0 || (total !== undefined && total <= (number === undefined ? records.length : number * PAGE_SIZE))

function problemsOf({ id, faults, hidesSomething }: ReadRecord): readonly staging.Problem[] {
  const reasons = [...faults, ...(hidesSomething ? [staging.VEILED] : [])]
  return reasons.length === 0 ? [] : [{ id, reason: reasons.join(', ') }]
}

const overlapping = (time: string) => new Date(Date.parse(time) - OVERLAP_MILLISECONDS).toISOString()
