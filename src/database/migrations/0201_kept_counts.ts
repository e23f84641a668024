import { type AnyDatabase, run } from '../tables.ts'

/** The numbers of `kept-counts.ts`. The period is 0 where rows are not counted by time. */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    `create table kept_counts (
       relation text collate "C" not null,
       series text collate "C" not null,
       keys text[] collate "C" not null,
       period bigint not null,
       slot smallint not null,
       row_count bigint not null,
       primary key (relation, series, keys, period, slot)
     ) with (fillfactor = 70)`,
  )
}
