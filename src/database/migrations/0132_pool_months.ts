import { type AnyDatabase, run } from '../tables.ts'

const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october'],
  ...['november', 'december'],
]

/** Months of pools are written in small letters from now on; campuses are told of whom that changes. */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    `update users set pool_month = lower(trim(pool_month)), updated_at = now()
     where pool_month <> lower(trim(pool_month)) and lower(trim(pool_month)) in ('${MONTHS.join("', '")}')`,
    // Told now: what is left for the commit would be in the way of later migrations.
    'set constraints all immediate',
    'set constraints all deferred',
  )
}
