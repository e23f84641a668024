import { type RawBuilder, sql } from 'kysely'
import { pauseFor } from '../base/pause-for.ts'
import type { Handle } from './handle.ts'

/** Maximum number of rows that one statement of a clean-up changes, so that it does not hold locks for long. */
export const BATCH_ROWS = 5_000
/** Lets other statements use the connection and the disk between two batches. */
const PAUSE_MILLISECONDS = 50

const NEVER = new AbortController().signal

/** Repeats a statement that changes at most `BATCH_ROWS` rows until it changes fewer. Returns the total. */
export async function inBatches(change: (maxRows: number) => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const changed = await change(BATCH_ROWS)
    total += changed
    if (changed < BATCH_ROWS) return total
    await pauseFor(PAUSE_MILLISECONDS, NEVER)
  }
}

type Kysely = Pick<Handle, 'kysely'>

/** Deletes the rows `t` that match. Returns their number. */
export const deleteInBatches = ({ kysely }: Kysely, table: string, matches: RawBuilder<unknown>): Promise<number> =>
  changeInBatches(kysely, { change: sql`delete from ${sql.table(table)} t`, table, matches })

/** Updates the rows `t` that match. An updated row must not match any more. */
export const updateInBatches = (
  { kysely }: Kysely,
  table: string,
  { set, matches }: { readonly set: RawBuilder<unknown>; readonly matches: RawBuilder<unknown> },
): Promise<number> => changeInBatches(kysely, { change: sql`update ${sql.table(table)} t set ${set}`, table, matches })

type Change = { readonly change: RawBuilder<unknown>; readonly table: string; readonly matches: RawBuilder<unknown> }

const changeInBatches = (kysely: Handle['kysely'], { change, table, matches }: Change): Promise<number> =>
  inBatches(async (maxRows) => {
    const { numAffectedRows } = await sql`
      ${change} where ${matches}
        and ctid = any(array(select ctid from ${sql.table(table)} t where ${matches} limit ${maxRows}))`.execute(kysely)
    return Number(numAffectedRows ?? 0)
  })
