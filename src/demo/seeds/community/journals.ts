import type { World } from '../world.ts'

const COLUMNS =
  'user_id, item_type, item_id, cursus_id, campus_id, reason, event_at, alumni, closed, created_at, updated_at'

/** Lets journals be written without being counted: to count one by one what a transaction makes takes ever longer. */
export async function writeJournalsUncounted(world: World): Promise<void> {
  await world.run('alter table journals disable trigger journals_insert_count')
  await world.run('alter table scale_teams disable trigger scale_teams_journal_entered')
}

/** The journals of all evaluations at once, as the trigger would write them for each. */
export async function seedJournalsOfEvaluations(world: World): Promise<void> {
  await world.run('alter table scale_teams enable trigger scale_teams_journal_entered')
  await world.run(
    `insert into journals (${COLUMNS})
     select u.id, 'ScaleTeam', s.id, c.cursus_id, m.campus_id, who.reason, s.filled_at, u.alumnized_at is not null,
       u.closed_at is not null, s.updated_at, s.updated_at
     from scale_teams s
     cross join lateral (
       select user_id, 'corrected' as reason from teams_users where team_id = s.team_id and validated
       union all select s.user_id, 'corrector') who
     join users u on u.id = who.user_id
     join campus_users m on m.user_id = u.id and m.is_primary
     left join lateral (
       select cursus_id from cursus_users where user_id = u.id
       order by coalesce(end_at > s.filled_at, true) desc, begin_at desc, id desc limit 1) c on true
     where s.filled_at is not null`,
  )
}

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
