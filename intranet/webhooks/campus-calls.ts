import type { Handle } from '@campus/engine/database/database'
import type { Caller } from '@campus/engine/http/caller'
import type { Calls } from '@campus/engine/rest/declare/calls'
import type { Resource } from '@campus/engine/rest/declare/declaration'
import type { Engine } from '@campus/engine/rest/engine'
import { runAmong } from '@campus/engine/rest/read/run'
import { requestContext } from '@campus/engine/rest/request-context'
import { sql } from 'kysely'
import { CALLS, CALLS_READER, type Call } from './calls.ts'
import type { FeedPage, FeedReader } from './fan-out.ts'

/** A change in the feed that endpoints are called about. */
type Row = {
  readonly xid: string
  readonly relation: string
  readonly recordId: number
  readonly operation: string
  readonly columns: readonly string[]
  readonly events: readonly string[]
  readonly carried: string
  readonly former: string | null
}

type Due = {
  readonly call: Call
  readonly userId: number
  readonly xid: string
  /** The record to send, or undefined for a call without one. */
  readonly sent: { readonly resource: Resource; readonly id: number } | undefined
  login: Login
}

type Login = { readonly known: string; readonly current: string }

/** Reads the records to send. Nothing is hidden from it. */
export const SERVICE: Caller = {
  application: { id: 0, uid: '', name: '', roles: [], ratePerSecond: 0, ratePerHour: 0 },
  scopes: [],
  resourceOwnerId: null,
}

/** Makes the calls to endpoints that the declarations name (spec: webhooks 1 to 5). */
export function readerForCampuses(engine: Engine): FeedReader {
  const { database, registry } = engine
  const called = new Map(registry.resources.flatMap((resource) => (resource.calls ? [[resource.table, resource]] : [])))
  return {
    name: CALLS_READER.reader,
    subscriptions: CALLS_READER.table,
    async tables() {
      const enabled = await database.kysely
        .selectFrom('endpoints')
        .select('id')
        .where('active', '=', true)
        .limit(1)
        .execute()
      return enabled.length > 0 ? [...called.keys()] : []
    },
    async deliver(tx, page) {
      await database.changes.validate()
      const rows = await readRows(tx, page, [...called.keys()])
      if (rows.length === 0) return
      const due = dueCalls(rows, called)
      if (due.length > 0) await insertCalls(tx, engine, page, due)
      // The feed is stored longer than the name of an anonymized user.
      await sql`update feed set carried = null, former = null
        where position > ${page.after} and position <= ${page.upTo} and carried is not null`.execute(tx.kysely)
    },
  }
}

async function readRows(tx: Handle, { after, upTo }: FeedPage, tables: readonly string[]): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select xid, relation, record_id as "recordId", operation, coalesce(columns, '{}') as columns,
      coalesce(events, '{}') as events, carried, former
    from feed where position > ${after} and position <= ${upTo} and relation = any(${tables}) and carried is not null
    order by position`.execute(tx.kysely)
  return rows
}

/** Returns the calls in the order of the changes. A transaction makes one call about the record of a user. */
function dueCalls(rows: readonly Row[], called: ReadonlyMap<string, Resource>): readonly Due[] {
  const users = [...called.values()].find(({ calls }) => calls?.name !== undefined)
  const due: Due[] = []
  const ofUsers = new Map<string, Due>()
  for (const row of rows) {
    const resource = called.get(row.relation)
    if (!resource?.calls || !users) continue
    const { record } = resource.calls
    for (const { call, userId, login } of callsOf(resource.calls, row)) {
      const shown = record ? { resource, id: row.recordId } : { resource: users, id: userId }
      const sent = resource.calls.on[call]?.isBare ? undefined : shown
      const made: Due = { call, userId, xid: row.xid, sent, login }
      const key = sent?.resource === users ? `${row.xid} ${userId}` : undefined
      const first = key === undefined ? undefined : ofUsers.get(key)
      if (first) first.login = { known: first.login.known, current: login.current }
      else due.push(made)
      if (key !== undefined && !first) ofUsers.set(key, made)
    }
  }
  return due
}

/** Returns the calls that a change makes. A record that moves from one user to another makes calls about both. */
function callsOf({ subject, on }: Calls, row: Row): readonly Pick<Due, 'call' | 'userId' | 'login'>[] {
  const users = subject
    ? [row.carried, row.former].flatMap((text) => (text === null ? [] : referredUser(text)))
    : [{ userId: row.recordId, login: { known: row.former ?? row.carried, current: row.carried } }]
  const made = CALLS.filter((call) => {
    const { changes = [], columns = [] } = on[call] ?? {}
    const isNamed = [row.operation, ...row.events].some((change) => changes.includes(change))
    return isNamed || columns.some((name) => row.columns.includes(name))
  })
  return made.flatMap((call) => users.map((one) => ({ call, ...one })))
}

function referredUser(text: string): Pick<Due, 'userId' | 'login'> {
  const blank = text.indexOf(' ')
  const login = text.slice(blank + 1)
  return { userId: Number(text.slice(0, blank)), login: { known: login, current: login } }
}

async function insertCalls(tx: Handle, engine: Engine, { epoch, now }: FeedPage, all: readonly Due[]): Promise<void> {
  const secrets = await takeSecrets(tx, all)
  const endpoints = await endpointsOf(tx, all)
  const due = all.filter(({ userId }) => endpoints.has(userId))
  if (due.length === 0) return
  const records = await readRecords(tx, engine, due)
  const rows = due.flatMap(({ call, userId, xid, sent, login }) => {
    const record = sent ? records.get(sent.resource)?.get(sent.id) : '{}'
    // The user has been deleted meanwhile.
    if (record === undefined) return []
    const isOfUser = sent !== undefined && sent.resource.calls?.name !== undefined
    const { known, current } = login
    const said = isOfUser ? JSON.stringify({ ...JSON.parse(record), uid: current, login: current }) : record
    const sealed = isOfUser ? secrets.get(`${xid} ${userId}`) : undefined
    const made = { user_id: userId, login: known, event: call, record: said, origin: `${epoch}:${xid}`, ...sealed }
    return (endpoints.get(userId) ?? []).map((endpoint_id) => ({ endpoint_id, ...made }))
  })
  // A call is due after the user's earlier ones, so one that waits for its next attempt delays those that follow. `offset`
  // makes PostgreSQL use the index by user rather than that of the pending deliveries of the endpoint.
  await sql`
    insert into deliveries (
      endpoint_id, user_id, login, event, record, sealed, sealed_by, secrets, origin, due_at, created_at, updated_at)
    select endpoint_id, user_id, login, event, record::json, sealed, sealed_by,
      case when sealed is null then 'none' else 'sealed' end, origin,
      greatest(${now}::timestamptz, (
        select max(due_at) from (
          select due_at from deliveries d
          where d.user_id = made.user_id and d.endpoint_id = made.endpoint_id and d.state = 'pending' offset 0) waiting)),
      ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(rows.map((row, place) => ({ ...row, place })))}::json) as made(
      endpoint_id int, user_id int, login text, event text, record text, sealed text, sealed_by text, origin text, place int)
    where event not in ('created', 'updated') or not exists (
      select from deliveries d where d.user_id = made.user_id and d.origin = made.origin and d.endpoint_id = made.endpoint_id
        and d.event in ('created', 'updated'))
    order by place`.execute(tx.kysely)
}

type SealedSecrets = { readonly sealed: string; readonly sealed_by: string }

/** Deletes the secrets even if no endpoint will be called. */
async function takeSecrets(tx: Handle, due: readonly Due[]): Promise<ReadonlyMap<string, SealedSecrets>> {
  const pairs = due.map(({ xid, userId }) => ({ xid, user_id: userId }))
  const { rows } = await sql<SealedSecrets & { readonly xid: string; readonly user_id: number }>`
    delete from sealed_secrets s using json_to_recordset(${JSON.stringify(pairs)}::json) as d(xid text, user_id int)
    where s.xid = d.xid::xid8 and s.user_id = d.user_id returning s.xid, s.user_id, sealed, sealed_by`.execute(
    tx.kysely,
  )
  return new Map(rows.map(({ xid, user_id, ...secrets }) => [`${xid} ${user_id}`, secrets]))
}

/** Returns the enabled endpoints of each user's campuses. */
async function endpointsOf(tx: Handle, due: readonly Due[]): Promise<ReadonlyMap<number, readonly number[]>> {
  // The lock keeps an endpoint from being disabled meanwhile: a delivery made then would never be sent.
  await tx.kysely.selectFrom('endpoints').select('id').where('active', '=', true).forShare().execute()
  const rows = await tx.kysely
    .selectFrom('campus_users as member')
    .innerJoin('campus', 'campus.id', 'member.campus_id')
    .innerJoin('endpoints', 'endpoints.id', 'campus.endpoint_id')
    .select(['member.user_id', 'endpoints.id'])
    .distinct()
    .where('endpoints.active', '=', true)
    .where('member.user_id', 'in', [...new Set(due.map(({ userId }) => userId))])
    .orderBy('endpoints.id')
    .execute()
  const ofUsers = Map.groupBy(rows, ({ user_id }) => user_id)
  return new Map([...ofUsers].map(([userId, found]) => [userId, found.map(({ id }) => id)]))
}

async function readRecords(tx: Handle, engine: Engine, due: readonly Due[]) {
  const context = requestContext(engine, SERVICE, tx)
  const read = new Map<Resource, ReadonlyMap<number, string>>()
  for (const [resource, sent] of Map.groupBy(
    due.flatMap(({ sent }) => sent ?? []),
    (one) => one.resource,
  )) {
    const ids = [...new Set(sent.map(({ id }) => id))]
    read.set(resource, await runAmong(context, { resource, conditions: [] }, 'webservice', ids))
  }
  return read
}
