import { ADVANCE_IDS } from '../../database/functions/chosen-ids.ts'
import type { Handle } from '../../database/handle.ts'
import { unprocessable } from '../../errors.ts'
import type { Caller } from '../../http/caller.ts'
import { hasRole } from '../declare/access.ts'
import { embeddedOnly, type Resource } from '../declare/declaration.ts'
import { bounded } from '../declare/fields/bounds.ts'
import type { Column } from '../declare/fields/field.ts'
import { integerKind } from '../declare/fields/kinds.ts'
import { quote } from '../declare/identifiers.ts'
import type { Registry } from '../declare/registry.ts'

/** Leaves more than half of the integers to the sequence of the table. */
export const MAX_CHOSEN_ID = 1_000_000_000

export const CHOSEN_ID: Column = { kind: bounded(integerKind, { min: 1, max: MAX_CHOSEN_ID }), nullable: true }

/** Reports whether ids can be chosen. They cannot if the payload has an `id` of another meaning. */
export const takesChosenIds = ({ actions, payload, stored }: Resource): boolean =>
  actions !== embeddedOnly &&
  actions.create !== undefined &&
  actions.create.performSeveral === undefined &&
  payload?.accepts.includes('id') === false &&
  stored('id')?.column === 'id'

export const mayChooseId = ({ access }: Registry, resource: Resource, caller: Caller): boolean =>
  takesChosenIds(resource) && hasRole(caller, access.chosenIds)

export const TAKEN_ID = 'has already been taken'

/** Deletes the import keys of deleted records that had these ids. Throws 422 if an id is taken. */
export async function claimIds(tx: Handle, resource: Resource, ids: readonly unknown[]): Promise<void> {
  const chosen = chosenAmong(resource, ids)
  if (chosen.length === 0) return
  const { name, table } = resource
  const [taken] = await tx.rows(`select from ${quote(table)} where id = any($1::int[]) limit 1`, [chosen])
  if (taken) throw unprocessable({ id: [TAKEN_ID] })
  await tx.rows('delete from import_keys where resource = $1 and record_id = any($2::int[])', [name, chosen])
}

/** Moves the sequence past the chosen ids. Authorize first, since a rollback does not move it back. */
export async function advancePast(tx: Handle, resource: Resource, ids: readonly unknown[]): Promise<void> {
  const chosen = chosenAmong(resource, ids)
  if (chosen.length > 0) await tx.rows(ADVANCE_IDS, [resource.table, Math.max(...chosen)])
}

const chosenAmong = (resource: Resource, ids: readonly unknown[]): readonly number[] =>
  takesChosenIds(resource) ? ids.filter((id) => typeof id === 'number') : []
