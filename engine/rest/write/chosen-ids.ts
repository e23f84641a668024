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

/** Largest id that may be chosen. It leaves more than half of the integers to the sequence of the table. */
export const MAX_CHOSEN_ID = 1_000_000_000

/** Column for the chosen id of a new record in a payload. */
export const CHOSEN_ID: Column = { kind: bounded(integerKind, { min: 1, max: MAX_CHOSEN_ID }), nullable: true }

/** Reports whether the id of a new record can be chosen. It cannot if the payload declares an `id` of another meaning. */
export const takesChosenIds = ({ actions, payload, stored }: Resource): boolean =>
  actions !== embeddedOnly &&
  actions.create !== undefined &&
  actions.create.performSeveral === undefined &&
  payload?.accepts.includes('id') === false &&
  stored('id')?.column === 'id'

/** Reports whether the caller may choose the id of a new record. */
export const mayChooseId = ({ access }: Registry, resource: Resource, caller: Caller): boolean =>
  takesChosenIds(resource) && hasRole(caller, access.chosenIds)

/** Error for a chosen id that another record has. */
export const TAKEN_ID = 'has already been taken'

/**
 * Prepares the insert of records with chosen ids: deletes the import keys of deleted records that had these ids. Throws 422
 * if a record has one of the ids.
 */
export async function claimIds(tx: Handle, resource: Resource, ids: readonly unknown[]): Promise<void> {
  const chosen = chosenAmong(resource, ids)
  if (chosen.length === 0) return
  const { name, table } = resource
  const [taken] = await tx.rows(`select from ${quote(table)} where id = any($1::int[]) limit 1`, [chosen])
  if (taken) throw unprocessable({ id: [TAKEN_ID] })
  await tx.rows('delete from import_keys where resource = $1 and record_id = any($2::int[])', [name, chosen])
}

/**
 * Moves the sequence of a table past the chosen ids of new records. To be called after the caller was authorized, since a
 * rollback does not move the sequence back.
 */
export async function advancePast(tx: Handle, resource: Resource, ids: readonly unknown[]): Promise<void> {
  const chosen = chosenAmong(resource, ids)
  if (chosen.length > 0) await tx.rows(ADVANCE_IDS, [resource.table, Math.max(...chosen)])
}

const chosenAmong = (resource: Resource, ids: readonly unknown[]): readonly number[] =>
  takesChosenIds(resource) ? ids.filter((id) => typeof id === 'number') : []
