import type { Captures } from '@campus/engine/changes/capture'
import type { Database, Handle } from '@campus/engine/database/database'
import { literal } from '@campus/engine/database/literal'
import { quote } from '@campus/engine/rest/declare/identifiers'
import { sql } from 'kysely'
import type { FeedPage, FeedReader } from '../fan-out.ts'
import type { Models } from './models.ts'

type Dependencies = { readonly database: Database; readonly captures: Captures; readonly models: () => Models }

/** Makes the deliveries to applications (spec: webhooks 27). */
export const readerForApplications = ({ database, captures, models }: Dependencies): FeedReader => ({
  name: 'applications',
  subscriptions: 'webhooks',
  async tables() {
    const rows = await database.kysely
      .selectFrom('webhooks')
      .select('relation')
      .distinct()
      .where('active', '=', true)
      .execute()
    const relations = rows.map(({ relation }) => relation)
    // After a restore nothing is captured yet.
    await captures.capture(relations)
    return relations
  },
  async enterEpoch(tx, { position }) {
    await sql`update webhooks set since = ${position} where since > ${position}`.execute(tx.kysely)
  },
  deliver: (tx, page) => insertDeliveries(tx, page, models()),
})

async function insertDeliveries(tx: Handle, { after, upTo, now }: FeedPage, models: Models): Promise<void> {
  // The lock keeps a webhook from being disabled meanwhile: a delivery made then would never be sent.
  const webhooks = await tx.kysely
    .selectFrom('webhooks')
    .select(['model', 'campus_id'])
    .where('active', '=', true)
    .forShare()
    .execute()
  const narrowed = new Set(webhooks.flatMap(({ model, campus_id }) => (campus_id === null ? [] : [model])))
  await sql`
    insert into webhook_deliveries (webhook_id, position, record_id, due_at, created_at, updated_at)
    select w.id, f.position, f.record_id, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from feed f join webhooks w on w.relation = f.relation and w.active and f.position > w.since
      and (w.event = f.operation or w.event = any(f.events))
    where f.position > ${after} and f.position <= ${upTo} and f.record_id is not null
      and (w.campus_id is null or ${sql.raw(campusSql(models, narrowed))})
    order by f.position, w.id`.execute(tx.kysely)
}

/** SQL: the changed record belongs to the campus of the webhook. */
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
