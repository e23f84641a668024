import type { Rows } from '@campus/engine/database/bulk-connection'
import { literal } from '@campus/engine/database/literal'
import { hasTable } from '@campus/intranet/services/sealing/check-key'

/*
 * Passwords and metas of pending deliveries are sealed with CAMPUS_SEALING_KEY, or with a key that ends with its process. An
 * archive leaves out those with a key of a process, since nothing could open them after a restore.
 */

export const DELIVERIES = 'deliveries'

const isLeftOut = (shared: string | undefined) =>
  `(sealed is not null and ${shared === undefined ? 'true' : `sealed_by is distinct from ${literal(shared)}`})`

/** Returns the SQL of the columns whose values are not archived as they are. */
export function archivedValues(shared: string | undefined): ReadonlyMap<string, string> {
  const unless = (column: string, otherwise: string) =>
    [column, `case when ${isLeftOut(shared)} then ${otherwise} else ${column} end`] as const
  return new Map([unless('sealed', 'null'), unless('sealed_by', 'null'), unless('secrets', "'lost'")])
}

/** Counts the deliveries whose password and meta are left out. */
export async function countLeftOut(rows: Rows, shared: string | undefined): Promise<number> {
  if (!(await hasTable({ rows }, DELIVERIES))) return 0
  const [row] = await rows(`select count(*) from ${DELIVERIES} where ${isLeftOut(shared)}`)
  return Number(row?.[0])
}
