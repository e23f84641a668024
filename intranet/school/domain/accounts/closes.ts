import type { ActionInput } from '@campus/engine/actions'
import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { endAccess } from '../../../access/end-access.ts'
import { requirePower } from '../../../access/powers.ts'
import { actingCaller } from '../../../services/audit/actors.ts'
import { type Actor, type AuditKind, recordAudit } from '../../../services/audit/audit.ts'
import { notify } from '../../../services/notifications/notify.ts'

type State = 'close' | 'unclose'

type CloseColumns = {
  readonly user_id: number
  readonly kind: string
  readonly reason: string
  readonly closer_id?: number | null
  readonly end_at?: string | null
}

type NewCloseValues = CloseColumns & { readonly state?: State }

/** Closes an account (spec: accounts 4, 5). A second close beside one that stands is a close of its own. */
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
  await requirePower(tx, actor, columns.user_id)
  const { id } = await tx.kysely
    .insertInto('closes')
    .values({ ...columns, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { user_id: userId, reason } = columns
  await setAccountState(tx, { userId, state: 'close', actor, now, details: { reason } })
  return id
}

/** Changes a close. Another state is the move to it; whose account it closes stays. */
export async function updateClose(tx: Handle, { id, values, caller, now }: ActionInput): Promise<number> {
  const { state, user_id, ...columns } = values
  const close = await findClose(tx, id, actingCaller(caller))
  if (user_id !== undefined && user_id !== close.user_id) throw unprocessable({ user_id: ['cannot be changed'] })
  await tx.kysely
    .updateTable('closes')
    .set({ ...columns, updated_at: now })
    .where('id', '=', id)
    .execute()
  if (state !== undefined) await move(tx, id, state === 'close' ? state : 'unclose', actingCaller(caller), now)
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
  const { state } = await findClose(tx, id, actingCaller(caller))
  if (state === 'close') await move(tx, id, 'unclose', actingCaller(caller), now)
  await tx.kysely.deleteFrom('closes').where('id', '=', id).execute()
  return id
}

/** Lifts every close of a person that stands. To be run in a transaction. Throws 422 where none does. */
export async function openAccount(tx: Handle, userId: number, actor: Actor, now: Date): Promise<void> {
  const open = await tx.kysely
    .selectFrom('closes')
    .select('id')
    .where('user_id', '=', userId)
    .where('state', '=', 'close')
    .orderBy('id')
    .forUpdate()
    .execute()
  if (open.length === 0) throw unprocessable({ base: ['This account is not closed.'] })
  for (const { id } of open) await move(tx, id, 'unclose', actor, now)
}

async function move(tx: Handle, id: number, state: State, actor: Actor, now: Date): Promise<void> {
  const close = await findClose(tx, id, actor)
  if (close.state === state) throw unprocessable({ state: [message('is {state} already', { state })] })
  await tx.kysely.updateTable('closes').set({ state, updated_at: now }).where('id', '=', id).execute()
  await setAccountState(tx, { userId: close.user_id, state, actor, now })
}

/** The engine holds the row's lock, so no other transaction changes this close. Throws 403. */
async function findClose(tx: Handle, id: number, actor: Actor) {
  const query = tx.kysely.selectFrom('closes').select(['user_id', 'state']).where('id', '=', id)
  const close = await query.executeTakeFirstOrThrow()
  await requirePower(tx, actor, close.user_id)
  return close
}

type AccountChange = {
  readonly userId: number
  /** What one of their closes has just become. */
  readonly state: State
  readonly actor: Actor
  readonly now: Date
  readonly details?: Readonly<Record<string, string>>
}

/** The audit kind: the new state of the account, or the change of the close alone. */
const auditKind = (wasClosed: boolean, isClosed: boolean, state: State): AuditKind => {
  if (wasClosed !== isClosed) return isClosed ? 'account_closed' : 'account_unclosed'
  return state === 'close' ? 'close_added' : 'close_lifted'
}

/**
 * Makes the account what its closes say, after one of them has changed. The lock of the user comes after that of the close, and
 * each waits here for the others: so the last close that is lifted is known as such.
 */
async function setAccountState(tx: Handle, { userId, state, actor, now, details }: AccountChange): Promise<void> {
  // Closing suspends them, and who gives one another owner locks it before that owner.
  const applications = tx.kysely.selectFrom('applications').select('id').where('owner_id', '=', userId)
  await applications.orderBy('id').forNoKeyUpdate().execute()
  const { closed_at: closedAt } = await tx.kysely
    .selectFrom('users')
    .select('closed_at')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const open = await tx.kysely
    .selectFrom('closes')
    .select('id')
    .where('user_id', '=', userId)
    .where('state', '=', 'close')
    .limit(1)
    .executeTakeFirst()
  const [wasClosed, isClosed] = [closedAt !== null, open !== undefined]
  if (state === 'close' || wasClosed !== isClosed) {
    await tx.kysely
      .updateTable('users')
      .set({ closed_at: isClosed ? (closedAt ?? now) : null, updated_at: now })
      .where('id', '=', userId)
      .execute()
  }
  // What let them in ends for good, by a second close, too.
  if (state === 'close') await endAccess(tx, now, userId)
  if (wasClosed !== isClosed) {
    const said = isClosed ? 'account_closed' : 'account_opened'
    await notify(tx, { kind: said, userIds: [userId], details: {}, now })
  }
  const kind = auditKind(wasClosed, isClosed, state)
  await recordAudit(tx, now, { kind, actor, subjectId: userId, details })
}
