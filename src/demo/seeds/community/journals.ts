import type { World } from '../world.ts'

const COLUMNS =
  'user_id, item_type, item_id, cursus_id, campus_id, reason, event_at, alumni, closed, created_at, updated_at'

/** Lets journals be written without being counted: to count one by one what a transaction makes takes ever longer. */
export const writeJournalsUncounted = (world: World): Promise<void> =>
  world.run('alter table journals disable trigger journals_insert_count')

/** Writes what the journals have written themselves once more, at once and as if all had happened one by one. */
export async function seedJournals(world: World): Promise<void> {
  await world.run('set constraints users_journal_created immediate')
  await world.run(`create temporary table written on commit drop as select ${COLUMNS} from journals`)
  await world.run('truncate journals restart identity')
  await world.run('alter table journals enable trigger journals_insert_count')
  await world.derive(
    'journals',
    `insert into journals (${COLUMNS}) select ${COLUMNS} from written order by event_at, user_id, item_type, item_id, reason`,
  )
}
