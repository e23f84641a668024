import { sql } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import type { Captures } from '../../changes/capture.ts'
import { readHead } from '../../changes/feed.ts'
import type { Database, Handle } from '../../database/database.ts'
import { literal } from '../../database/literal.ts'
import { WorkLoop } from '../../database/work-loop.ts'
import { quote } from '../../rest/declare/identifiers.ts'
import type { Models } from './models.ts'

const CHANGES_AT_A_TIME = 1_000
/** Where no hint comes. */
const LOOK_AGAIN_MS = 250
const IDLE_MS = 60_000

type Dependencies = {
  readonly database: Database
  readonly clock: Clock
  readonly models: () => Models
  readonly captures: Captures
  readonly onError: (error: unknown) => void
}

/**
 * Makes deliveries of the changes that applications have subscribed to, in the order of the feed. Any number of processes may
 * run one: up to where the feed was read is written with the deliveries, by the one that holds the lock on its row.
 */
export class FanOut {
  readonly #dependencies: Dependencies
  readonly #loop: WorkLoop
  #isNeeded = false

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    this.#loop = new WorkLoop({
      database: dependencies.database,
      tables: ['feed_relay', 'webhooks'],
      round: () => this.#round(),
      isIdle: () => true,
      sleepMs: () => (this.#isNeeded ? LOOK_AGAIN_MS : IDLE_MS),
      onError: dependencies.onError,
    })
  }

  start(): void {
    this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** Makes all that are to be made, and resolves when none is left. For those that were not started. */
  settle(): Promise<void> {
    return this.#loop.settle()
  }

  /** Resolves to whether there may be more. */
  async #round(): Promise<boolean> {
    const { database, clock, models, captures } = this.#dependencies
    const relations = await subscribedRelations(database)
    this.#isNeeded = relations.length > 0
    if (!this.#isNeeded) return false
    // In a database that was restored from an archive nothing is captured yet.
    await captures.capture(relations)
    return database.transaction((tx) => fanOut(tx, models(), clock.now()))
  }
}

/** Resolves to whether there may be more. */
async function fanOut(tx: Handle, models: Models, now: Date): Promise<boolean> {
  const { rows } = await sql<{ epoch: string | null; position: string }>`
    select epoch, position from webhook_reader for update skip locked`.execute(tx.kysely)
  const [reader] = rows
  if (!reader) return false
  const head = await readHead(tx)
  if (reader.epoch !== head.epoch) await enterEpoch(tx, head)
  // Held, so that none is switched off meanwhile and gets a delivery that nobody would send.
  const webhooks = await tx.kysely
    .selectFrom('webhooks')
    .select(['model', 'campus_id', 'since'])
    .where('active', '=', true)
    .forShare()
    .execute()
  if (webhooks.length === 0) return false
  const after = Math.max(
    Math.min(Number(reader.position), head.position),
    Math.min(...webhooks.map(({ since }) => Number(since))),
  )
  if (after >= head.position) return false
  const upTo = await lastOfPage(tx, after, head.position)
  const narrowed = new Set(webhooks.flatMap(({ model, campus_id }) => (campus_id === null ? [] : [model])))
  await insertDeliveries(tx, { after, upTo, now, isOfCampus: campusSql(models, narrowed) })
  await tx.kysely
    .updateTable('webhook_reader')
    .set({ position: String(upTo) })
    .execute()
  return upTo < head.position
}

/** The tables that are subscribed to. */
async function subscribedRelations({ kysely }: Handle): Promise<readonly string[]> {
  const rows = await kysely.selectFrom('webhooks').select('relation').distinct().where('active', '=', true).execute()
  return rows.map(({ relation }) => relation)
}

/** Positions may begin below those that are known, as in a database that was restored from an archive. */
async function enterEpoch(tx: Handle, { epoch, position }: { readonly epoch: string; readonly position: number }) {
  await sql`update webhook_reader set epoch = ${epoch}, position = least(position, ${position})`.execute(tx.kysely)
  await sql`update webhooks set since = ${position} where since > ${position}`.execute(tx.kysely)
}

async function lastOfPage(tx: Handle, after: number, head: number): Promise<number> {
  const { rows } = await sql<{ position: string }>`
    select position from feed where position > ${after} order by position limit 1 offset ${CHANGES_AT_A_TIME - 1}`.execute(
    tx.kysely,
  )
  return rows[0] ? Math.min(Number(rows[0].position), head) : head
}

/** That the record of a change belongs to the campus of the webhook, for these models. */
function campusSql(models: Models, narrowed: ReadonlySet<string>): string {
  const cases = [...narrowed].flatMap((name) => {
    const model = models.get(name)
    if (model?.isOfCampus === undefined) return []
    const { table } = model.resource
    return [
      `when ${literal(name)} then exists (select from ${quote(table)} r where r.id = f.record_id and ${model.isOfCampus})`,
    ]
  })
  return cases.length === 0 ? 'false' : `case w.model ${cases.join(' ')} else false end`
}

type Page = { readonly after: number; readonly upTo: number; readonly now: Date; readonly isOfCampus: string }

async function insertDeliveries(tx: Handle, { after, upTo, now, isOfCampus }: Page): Promise<void> {
  await sql`
    insert into webhook_deliveries (webhook_id, position, record_id, due_at, created_at, updated_at)
    select w.id, f.position, f.record_id, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from feed f join webhooks w on w.relation = f.relation and w.active and f.position > w.since
      and (w.event = f.operation or w.event = any(f.events))
    where f.position > ${after} and f.position <= ${upTo} and f.record_id is not null
      and (w.campus_id is null or ${sql.raw(isOfCampus)})
    order by f.position, w.id`.execute(tx.kysely)
}
