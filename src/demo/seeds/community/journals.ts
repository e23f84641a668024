import type { World } from '../world.ts'

/** The journals write themselves: those of new users at the end of the transaction, unless it is asked for before. */
export async function seedJournals(world: World): Promise<void> {
  await world.derive('journals', 'set constraints users_journal_created immediate')
  // As if all had happened one by one, whatever order the rows of a statement were written in.
  await world.run(
    `update journals set id = -told.place from (
       select id, row_number() over (order by event_at, user_id, item_type, item_id, reason) as place from journals) told
     where told.id = journals.id`,
  )
  await world.run('update journals set id = -id')
}
