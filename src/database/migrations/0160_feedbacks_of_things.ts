import { type AnyDatabase, run } from '../tables.ts'

/** A feedback hangs on its evaluation or event by a foreign key, and says something; an evaluation shows its first. */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    `delete from feedbacks where
       (feedbackable_type = 'ScaleTeam' and not exists (select 1 from scale_teams t where t.id = feedbackable_id)) or
       (feedbackable_type = 'Event' and not exists (select 1 from events e where e.id = feedbackable_id))`,
    `alter table feedbacks
       add column scale_team_id integer
         generated always as (case when feedbackable_type = 'ScaleTeam' then feedbackable_id end) stored
         references scale_teams,
       add column event_id integer
         generated always as (case when feedbackable_type = 'Event' then feedbackable_id end) stored
         references events`,
    "update feedbacks set comment = '' where comment is null",
    'alter table feedbacks alter column comment set not null',
    'create index on feedbacks (scale_team_id, id)',
    'create index on feedbacks (event_id)',
    `update scale_teams t set feedback = f.comment, feedback_rating = f.rating from feedbacks f
     where f.id = (select min(id) from feedbacks where scale_team_id = t.id)
       and (t.feedback, t.feedback_rating) is distinct from (f.comment, f.rating)`,
  )
}
