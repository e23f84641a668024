import { sql } from 'kysely'
import { defined } from '../base/defined.ts'
import type { Handle } from './database.ts'

const MAX_DIFFERENCE_SECONDS = 86_400

/**
 * Throws if the clock of this machine and that of the database are more than a day apart. One of them is wrong, and what is
 * deleted by a wrong clock is lost.
 */
export async function requireAgreeingClocks({ kysely }: Pick<Handle, 'kysely'>, now: Date): Promise<void> {
  const { rows } = await sql<{ seconds: number }>`
    select abs(extract(epoch from clock_timestamp() - ${now}::timestamptz))::float8 as seconds`.execute(kysely)
  if (defined(rows[0]).seconds > MAX_DIFFERENCE_SECONDS)
    throw new Error(
      'The clocks of this machine and of the database are more than a day apart. Set them: until then nothing is deleted.',
    )
}
