import type { ActionInput } from '../actions.ts'
import { actingCaller } from '../audit/actors.ts'
import { type Actor, recordAudit } from '../audit/audit.ts'
import type { Handle } from '../database/database.ts'
import { unprocessable } from '../errors.ts'
import { endAccess } from './end-access.ts'

type State = 'close' | 'unclose'

type CloseColumns = {
  readonly user_id: number
  readonly kind: string
  readonly reason: string
  readonly closer_id?: number | null
  readonly end_at?: string | null
}

type NewCloseValues = CloseColumns & { readonly state?: State }

/** Closes an account (decisions §6). A second close beside one that stands is a close of its own. */
export async function createClose(tx: Handle, { values, caller, now }: ActionInput<NewCloseValues>): Promise<number> {
  const { state, ...columns } = values
  if (state != null && state !== 'close') throw unprocessable({ state: ['must be close in a new close'] })
  return closeAccount(
    tx,
    { ...columns, closer_id: columns.closer_id ?? caller.resourceOwnerId },
    actingCaller(caller),
    now,
  )
}

/** Closes an account by a close that stands from now on. To be run in a transaction. Gives the close's id. */
export async function closeAccount(tx: Handle, columns: CloseColumns, actor: Actor, now: Date): Promise<number> {
  await lockAccount(tx, columns.user_id)
  const { id } = await tx.kysely
    .insertInto('closes')
    .values({ ...columns, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await shutAccount(tx, columns.user_id, now)
  const { user_id: subjectId, reason } = columns
  await recordAudit(tx, now, { kind: 'account_closed', actor, subjectId, details: { reason } })
  return id
}

/** Changes a close. Another state is the move to it; whose account it closes stays. */
export async function updateClose(tx: Handle, { id, values, caller, now }: ActionInput): Promise<number> {
  const { state, user_id, ...columns } = values
  const close = await findClose(tx, id)
  if (user_id !== undefined && user_id !== close.user_id) throw unprocessable({ user_id: ['cannot be changed'] })
  await tx.kysely
    .updateTable('closes')
    .set({ ...columns, updated_at: now })
    .where('id', '=', id)
    .execute()
  if (state !== undefined) await move(tx, id, state as State, actingCaller(caller), now)
  return id
}

/** Lets a close stand again that was lifted. */
export async function closeAgain(tx: Handle, { id, caller, now }: ActionInput): Promise<number> {
  await move(tx, id, 'close', actingCaller(caller), now)
  return id
}

/** Lifts a close. */
export async function unclose(tx: Handle, { id, caller, now }: ActionInput): Promise<number> {
  await move(tx, id, 'unclose', actingCaller(caller), now)
  return id
}

/** Removes a close, which lifts it first when it stands. */
export async function destroyClose(tx: Handle, { id, caller, now }: ActionInput): Promise<number> {
  const { state } = await findClose(tx, id)
  if (state === 'close') await move(tx, id, 'unclose', actingCaller(caller), now)
  await tx.kysely.deleteFrom('closes').where('id', '=', id).execute()
  return id
}

/** Lifts every close of a person that stands. To be run in a transaction. Throws 422 where none does. */
export async function openAccount(tx: Handle, userId: number, actor: Actor, now: Date): Promise<void> {
  await lockAccount(tx, userId)
  const standing = await tx.kysely
    .selectFrom('closes')
    .select('id')
    .where('user_id', '=', userId)
    .where('state', '=', 'close')
    .orderBy('id')
    .forUpdate()
    .execute()
  if (standing.length === 0) throw unprocessable({ base: ['This account is not closed.'] })
  for (const { id } of standing) await move(tx, id, 'unclose', actor, now)
}

async function move(tx: Handle, id: number, state: State, actor: Actor, now: Date): Promise<void> {
  const close = await findClose(tx, id)
  if (close.state === state) throw unprocessable({ state: [`is ${state} already`] })
  await lockAccount(tx, close.user_id)
  await tx.kysely.updateTable('closes').set({ state, updated_at: now }).where('id', '=', id).execute()
  if (state === 'close') await shutAccount(tx, close.user_id, now)
  else await reopenAccount(tx, close.user_id, now)
  const kind = state === 'close' ? 'account_closed' : 'account_unclosed'
  await recordAudit(tx, now, { kind, actor, subjectId: close.user_id })
}

/** The engine holds the row's lock, so that nobody else moves this close meanwhile. */
const findClose = (tx: Handle, id: number) =>
  tx.kysely.selectFrom('closes').select(['user_id', 'state']).where('id', '=', id).executeTakeFirstOrThrow()

/** Whoever moves a close of this person waits here for the others, so that the last one lifted is known as such. */
async function lockAccount(tx: Handle, userId: number): Promise<void> {
  await tx.kysely.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}

/** "User closed": for each close that begins to stand, be it the person's first or not. What let them in ends for good. */
async function shutAccount(tx: Handle, userId: number, now: Date): Promise<void> {
  await tx.kysely
    .updateTable('users')
    .set(({ fn, val }) => ({ closed_at: fn.coalesce('closed_at', val(now)), updated_at: now }))
    .where('id', '=', userId)
    .execute()
  await endAccess(tx, now, userId)
}

/** "User unclosed": when the last close of the person is lifted. */
async function reopenAccount(tx: Handle, userId: number, now: Date): Promise<void> {
  const standing = await tx.kysely
    .selectFrom('closes')
    .select('id')
    .where('user_id', '=', userId)
    .where('state', '=', 'close')
    .limit(1)
    .executeTakeFirst()
  if (standing) return
  await tx.kysely.updateTable('users').set({ closed_at: null, updated_at: now }).where('id', '=', userId).execute()
}
