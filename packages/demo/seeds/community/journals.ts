import type { World } from '../world.ts'

const COLUMNS =
  'user_id, item_type, item_id, cursus_id, campus_id, reason, event_at, alumni, closed, created_at, updated_at'

/** Creates the temporary table that collects journals until `seedJournals` writes them. */
export async function collectJournals(world: World): Promise<void> {
  await world.run(`create temporary table collected_journals on commit drop as select ${COLUMNS} from journals limit 0`)
  await world.run('alter table scale_teams disable trigger scale_teams_journal_entered')
}

/** Collects the journals that the trigger would write for each evaluation. */
export async function seedJournalsOfEvaluations(world: World): Promise<void> {
  await world.run('alter table scale_teams enable trigger scale_teams_journal_entered')
  await world.run(
    collected(`select who.user_id, 'ScaleTeam' as item_type, s.id as item_id, who.reason, s.filled_at as event_at, s.updated_at as written_at
      from scale_teams s
      cross join lateral (
        select user_id, 'corrected' as reason from teams_users where team_id = s.team_id and validated
        union all select s.user_id, 'corrector') who
      where s.filled_at is not null`),
  )
}

/** Writes collected journals, journals of users and journals written by triggers in the order of their events. */
export async function seedJournals(world: World): Promise<void> {
  await world.run(
    collected(`select id as user_id, 'User' as item_type, id as item_id, 'created' as reason, created_at as event_at,
      created_at as written_at from users
      union all select id, 'User', id, 'alumnized', alumnized_at, alumnized_at from users where alumnized_at is not null`),
  )
  await world.run(`insert into collected_journals select ${COLUMNS} from journals`)
  await world.run('truncate journals restart identity')
  await world.derive(
    'journals',
    `insert into journals (${COLUMNS})
     select ${COLUMNS} from collected_journals order by event_at, user_id, item_type, item_id, reason`,
  )
}

/** Adds the columns that `write_journal` adds to each entry. */
const collected = (entries: string) =>
  `insert into collected_journals
   select u.id, e.item_type, e.item_id, c.cursus_id, m.campus_id, e.reason, e.event_at, u.alumnized_at is not null,
     u.closed_at is not null, e.written_at, e.written_at
   from (${entries}) e
   join users u on u.id = e.user_id
   join campus_users m on m.user_id = u.id and m.is_primary
   left join lateral (
     select cursus_id from cursus_users where user_id = u.id
     order by coalesce(end_at > e.event_at, true) desc, begin_at desc, id desc limit 1) c on true`
