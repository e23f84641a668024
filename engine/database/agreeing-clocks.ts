import { sql } from 'kysely'
import { defined } from '../base/defined.ts'
import type { Handle } from './database.ts'

const MAX_DIFFERENCE_SECONDS = 86_400

/** Throws if the clocks of this machine and of the database differ by more than a day. A wrong clock would delete too much. */
export async function requireAgreeingClocks({ kysely }: Pick<Handle, 'kysely'>, now: Date): Promise<void> {
  const { rows } = await sql<{ seconds: number }>`
    select abs(extract(epoch from clock_timestamp() - ${now}::timestamptz))::float8 as seconds`.execute(kysely)
  if (defined(rows[0]).seconds > MAX_DIFFERENCE_SECONDS)
    throw new Error(
      'The clocks of this machine and of the database are more than a day apart. Set them: until then nothing is deleted.',
    )
}
