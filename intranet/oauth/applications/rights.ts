import type { Handle } from '@campus/engine/database/database'
import { ValidationErrors } from '@campus/engine/validation-errors'
import { requireAdministrator } from '../../access/powers.ts'
import { type Actor, recordAudit } from '../../services/audit/audit.ts'
import { lockApplication, requirePowerOverOwner } from './lock.ts'
import { checkRate } from './values.ts'

/** Rights that staff give an application. Absent ones stay unchanged. */
export type Rights = {
  readonly roleIds?: readonly number[] | undefined
  /** Null for the rate of its roles. */
  readonly rate_per_second?: number | null | undefined
  readonly rate_per_hour?: number | null | undefined
}

type Grant = { readonly id: number; readonly actor: Actor; readonly now: Date }

/** Gives an application roles, which hold for the whole school, and rates. Must run in a transaction. Throws 403, 404 and 422. */
export async function setRights(tx: Handle, { roleIds, ...rest }: Grant & Rights): Promise<void> {
  if (roleIds !== undefined) await grantRoles(tx, { ...rest, roleIds })
  if (rest.rate_per_second !== undefined || rest.rate_per_hour !== undefined) await setRates(tx, rest)
}

/** Gives an application exactly these roles. Must run in a transaction. Throws 404 and 422. */
export async function grantRoles(
  tx: Handle,
  { id, roleIds, actor, now }: Grant & { readonly roleIds: readonly number[] },
): Promise<void> {
  const { owner_id } = await lockApplication(tx, id)
  const before = await rolesOf(tx, id)
  const known = await tx.kysely.selectFrom('roles').select(['id', 'name']).orderBy('id').execute()
  const chosen = known.filter((role) => roleIds.includes(role.id))
  if (chosen.length < new Set(roleIds).size) {
    const errors = new ValidationErrors()
    errors.add('role_ids', 'must be ids of roles')
    errors.throwIfAny()
  }
  const added = chosen.filter((role) => !before.some((had) => had.id === role.id))
  const removed = before.filter((had) => !chosen.some((role) => role.id === had.id))
  if (added.length + removed.length === 0) return
  await requireAdministrator(tx, actor)
  const ids = removed.map((role) => role.id)
  if (ids.length > 0) {
    await tx.kysely
      .deleteFrom('application_roles')
      .where('application_id', '=', id)
      .where('role_id', 'in', ids)
      .execute()
  }
  if (added.length > 0) {
    const rows = added.map((role) => ({ application_id: id, role_id: role.id }))
    await tx.kysely.insertInto('application_roles').values(rows).execute()
  }
  const details = { granted: namesOf(added), taken: namesOf(removed) }
  await recordAudit(tx, now, { kind: 'roles_changed', actor, subjectId: owner_id, applicationId: id, details })
}

/** Gives an application rates of its own. Must run in a transaction. Throws 404 and 422. */
export async function setRates(
  tx: Handle,
  { id, actor, now, ...rates }: Grant & Omit<Rights, 'roleIds'>,
): Promise<void> {
  const present = await lockApplication(tx, id)
  const { rate_per_second: perSecond = present.rate_per_second, rate_per_hour: perHour = present.rate_per_hour } = rates
  const errors = new ValidationErrors()
  const rate_per_second = checkRate(errors, 'rate_per_second', perSecond)
  const rate_per_hour = checkRate(errors, 'rate_per_hour', perHour)
  errors.throwIfAny()
  if (present.rate_per_second === rate_per_second && present.rate_per_hour === rate_per_hour) return
  // Owners do not choose their own rate.
  await requirePowerOverOwner(tx, actor, present.owner_id === actor.userId ? null : present.owner_id)
  await tx.kysely
    .updateTable('applications')
    .set({ rate_per_second, rate_per_hour, updated_at: now })
    .where('id', '=', id)
    .execute()
  const details = { rate_per_second: String(rate_per_second ?? ''), rate_per_hour: String(rate_per_hour ?? '') }
  const event = { kind: 'rates_changed', actor, subjectId: present.owner_id, applicationId: id, details } as const
  await recordAudit(tx, now, event)
}

export const rolesOf = ({ kysely }: Handle, applicationId: number) =>
  kysely
    .selectFrom('application_roles')
    .innerJoin('roles', 'roles.id', 'application_roles.role_id')
    .select(['roles.id', 'roles.name'])
    .where('application_id', '=', applicationId)
    .orderBy('roles.id')
    .execute()

const namesOf = (roles: readonly { readonly name: string }[]) => roles.map(({ name }) => name).join(', ')
