import type { ActionInput, Created } from '@campus/engine/actions'
import { defined } from '@campus/engine/base/defined'
import type { Handle } from '@campus/engine/database/database'
import { rowEquals } from '@campus/engine/database/row-equals'
import { HttpError } from '@campus/engine/errors'
import { recordAccountChange } from '../../../access/account-changes.ts'
import { endPasswordResets } from '../../../access/end-access.ts'
import { requirePower, requirePowerOverCampus } from '../../../access/powers.ts'
import { setPassword } from '../../../access/set-password.ts'
import { actingCaller } from '../../../services/audit/actors.ts'
import { attachSecrets } from '../../../webhooks/attach-secrets.ts'
import type { Sealing, Secrets } from '../../../webhooks/sealing.ts'
import { REASONS, setPoints } from '../points/correction-points.ts'
import { setWallet } from '../points/wallets.ts'
import { readRow } from '../rows.ts'
import { type AccountValues, checkChanges } from './account-values.ts'
import { createAccounts } from './accounts.ts'
import { recordAlumniMove } from './alumni.ts'
import { makePrimaryCampus } from './primary-campus.ts'

/**
 * Opens as many of the accounts as possible (POST /v2/users). Opening an account of staff needs power over staff, since
 * the caller could sign in with it.
 */
export const createUsers =
  (sealing: Sealing) =>
  async (tx: Handle, inputs: readonly ActionInput[]): Promise<readonly (Created | HttpError)[]> => {
    const accounts = inputs.map(({ values, caller, now }) => {
      const { campus_id: campusId, cursus_id: cursusId } = values
      // biome-ignore lint/plugin: the payload of users has read each value as its type
      const account = { ...values, ...secretParts(values), campusId, cursusId } as AccountValues
      return { values: account, actor: actingCaller(caller), now }
    })
    const actor = accounts[0]?.actor
    const campusIds = new Set(accounts.map(({ values }) => values.campusId ?? null))
    if (actor) for (const campusId of campusIds) await requirePowerOverCampus(tx, actor, campusId)
    const made = await createAccounts(tx, sealing, accounts)
    for (const [at, account] of made.entries()) {
      if (defined(accounts[at]).values.kind === 'admin' && actor && !(account instanceof HttpError))
        await requirePower(tx, actor, account.id)
    }
    return made.map((account) => (account instanceof HttpError ? account : { id: account.id, oneTimeValues: {} }))
  }

/** Changes a user. `campus_id` sets the primary campus, `cursus_id` enters a cursus now. */
export const updateUser =
  (sealing: Sealing) =>
  async (tx: Handle, { id, values, nestedKeys, caller, now }: ActionInput): Promise<number> => {
    const {
      password: _password,
      meta: _meta,
      campus_id: campusId,
      cursus_id: cursusId,
      correction_point: points,
      wallet,
      ...columns
    } = checkChanges(values)
    const { password, meta } = secretParts(values)
    const actor = actingCaller(caller)
    const fields = SIGNIFICANT.filter((name) => name in columns)
    const needsPower = fields.length > 0 || password !== null || typeof campusId === 'number'
    if (needsPower) await requirePower(tx, actor, id)
    if (typeof campusId === 'number') await requirePowerOverCampus(tx, actor, campusId)
    if (password !== null) {
      await setPassword(tx, sealing, { userId: id, password, meta, actor, now })
    } else {
      await attachSecrets(tx, sealing, { userId: id, password, meta, now })
    }
    const hasMoved = typeof campusId === 'number' && (await makePrimaryCampus(tx, id, campusId, now))
    const hasJoined = typeof cursusId === 'number' && (await joinCursus(tx, id, cursusId, now))
    const hasOtherPoints =
      typeof points === 'number' && (await setPoints(tx, id, { to: points, reason: REASONS.staff, now }))
    const hasOtherWallet =
      typeof wallet === 'number' && (await setWallet(tx, id, { to: wallet, reason: REASONS.staff, now }))
    const hasSecrets = password !== null || meta !== null
    const isSame = nestedKeys.size === 0 && (await rowEquals(tx, 'users', id, columns))
    if (isSame && !hasSecrets && !hasMoved && !hasJoined && !hasOtherPoints && !hasOtherWallet) return id
    const former = await readRow(tx, 'users', id, ['alumnized_at', 'email'])
    const { alumnized_at } = await tx.kysely
      .updateTable('users')
      .set(({ eb }) => ({ ...columns, revision: eb('revision', '+', 1), updated_at: now }))
      .where('id', '=', id)
      .returning('alumnized_at')
      .executeTakeFirstOrThrow()
    const isAlumnus = alumnized_at !== null
    if (isAlumnus !== (former.alumnized_at !== null)) await recordAlumniMove(tx, now, { userId: id, isAlumnus, actor })
    if (fields.length > 0) {
      const change = { kind: 'account_changed', actor, subjectId: id, details: { fields: fields.join(', ') } } as const
      await recordAccountChange(tx, now, fields.includes('email') ? { ...change, formerEmail: former.email } : change)
    }
    // A reset link sent to the former address must not work.
    if (fields.includes('email')) await endPasswordResets(tx, id)
    if (needsPower) await requirePower(tx, actor, id)
    return id
  }

/** Fields that decide how users sign in, what they may do and whether they are mailed. */
const SIGNIFICANT = ['login', 'email', 'kind', 'email_stop'] as const

/** Returns the values that are delivered once and never stored in plain text. */
const secretParts = ({ password, meta }: ActionInput['values']): Secrets => ({
  password: typeof password === 'string' ? password : null,
  meta: typeof meta === 'string' ? JSON.parse(meta) : null,
})

/** Returns false if the user is in the cursus already. */
async function joinCursus(tx: Handle, user_id: number, cursus_id: number, now: Date): Promise<boolean> {
  const present = await tx.kysely
    .selectFrom('cursus_users')
    .select('id')
    .where('user_id', '=', user_id)
    .where('cursus_id', '=', cursus_id)
    .executeTakeFirst()
  if (present) return false
  await tx.kysely
    .insertInto('cursus_users')
    .values({ user_id, cursus_id, begin_at: now, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'cursus_id']).doNothing())
    .execute()
  return true
}
