import type { ActionInput } from '@campus/engine/actions'
import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { endAccess } from '../../../access/end-access.ts'
import { requirePower } from '../../../access/powers.ts'
import { actingCaller } from '../../../services/audit/actors.ts'
import { type Actor, type AuditKind, recordAudit } from '../../../services/audit/audit.ts'
import { notify } from '../../../services/notifications/notify.ts'
import { insertRow, updateRow } from '../rows.ts'

type State = 'close' | 'unclose'

type CloseColumns = {
  readonly user_id: number
  readonly kind: string
  readonly reason: string
  readonly closer_id?: number | null
  readonly end_at?: string | null
}

type NewCloseValues = CloseColumns & { readonly state?: State }

/** Closes an account (spec: accounts 4, 5). An account may have several closes. */
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

/** Must run in a transaction. Returns the id of the close. */
export async function closeAccount(tx: Handle, columns: CloseColumns, actor: Actor, now: Date): Promise<number> {
  await requirePower(tx, actor, columns.user_id)
  const id = await insertRow(tx, 'closes', { ...columns, created_at: now, updated_at: now })
  const { user_id: userId, reason } = columns
  await setAccountState(tx, { userId, state: 'close', actor, now, details: { reason } })
  return id
}

/** Changes a close. A new `state` also closes or opens the account. */
export async function updateClose(tx: Handle, { id, values, caller, now }: ActionInput): Promise<number> {
  const { state, user_id, ...columns } = values
  const close = await findClose(tx, id, actingCaller(caller))
  if (user_id !== undefined && user_id !== close.user_id) throw unprocessable({ user_id: ['cannot be changed'] })
  await updateRow(tx, 'closes', id, { ...columns, updated_at: now })
  if (state !== undefined) await move(tx, id, state === 'close' ? state : 'unclose', actingCaller(caller), now)
  return id
}

export async function closeAgain(tx: Handle, { id, caller, now }: ActionInput): Promise<number> {
  await move(tx, id, 'close', actingCaller(caller), now)
  return id
}

export async function unclose(tx: Handle, { id, caller, now }: ActionInput): Promise<number> {
  await move(tx, id, 'unclose', actingCaller(caller), now)
  return id
}

/** Deletes a close. Lifts it first if it is in force. */
export async function destroyClose(tx: Handle, { id, caller, now }: ActionInput): Promise<number> {
  const { state } = await findClose(tx, id, actingCaller(caller))
  if (state === 'close') await move(tx, id, 'unclose', actingCaller(caller), now)
  await tx.kysely.deleteFrom('closes').where('id', '=', id).execute()
  return id
}

/** Lifts every close of a user that is in force. Must run in a transaction. Throws 422 if there is none. */
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
  await updateRow(tx, 'closes', id, { state, updated_at: now })
  await setAccountState(tx, { userId: close.user_id, state, actor, now })
}

/** The engine has locked the row. Throws 403. */
async function findClose(tx: Handle, id: number, actor: Actor) {
  const query = tx.kysely.selectFrom('closes').select(['user_id', 'state']).where('id', '=', id)
  const close = await query.executeTakeFirstOrThrow()
  await requirePower(tx, actor, close.user_id)
  return close
}

type AccountChange = {
  readonly userId: number
  /** New state of the close. */
  readonly state: State
  readonly actor: Actor
  readonly now: Date
  readonly details?: Readonly<Record<string, string>>
}

const auditKind = (wasClosed: boolean, isClosed: boolean, state: State): AuditKind => {
  if (wasClosed !== isClosed) return isClosed ? 'account_closed' : 'account_unclosed'
  return state === 'close' ? 'close_added' : 'close_lifted'
}

/**
 * Derives the state of an account from its closes, after one of them changed. The user is locked after the close. So
 * concurrent changes wait here, and the last lifted close opens the account.
 */
async function setAccountState(tx: Handle, { userId, state, actor, now, details }: AccountChange): Promise<void> {
  // Closing suspends the applications of the user. A transfer to another owner locks an application before the owner.
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
    await updateRow(tx, 'users', userId, { closed_at: isClosed ? (closedAt ?? now) : null, updated_at: now })
  }
  // A second close ends access again.
  if (state === 'close') await endAccess(tx, now, userId)
  if (wasClosed !== isClosed) {
    const said = isClosed ? 'account_closed' : 'account_opened'
    await notify(tx, { kind: said, userIds: [userId], details: {}, now })
  }
  const kind = auditKind(wasClosed, isClosed, state)
  await recordAudit(tx, now, { kind, actor, subjectId: userId, details })
}
