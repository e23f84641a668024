import { type AnyDatabase, run } from '../tables.ts'

/** A waitlist belongs to an event or to an exam; what the wire calls the one that it belongs to follows from which. */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    'alter table waitlists drop column waitlistable_type',
    'alter table waitlists rename column waitlistable_id to event_id',
    'alter table waitlists rename constraint waitlists_waitlistable_id_fkey to waitlists_event_id_fkey',
    'alter table waitlists rename constraint waitlists_waitlistable_id_key to waitlists_event_id_key',
    'alter table waitlists alter column event_id drop not null',
    `alter table waitlists add exam_id integer unique references exams on delete cascade,
     add waitlistable_id integer not null generated always as (coalesce(event_id, exam_id)) stored,
     add waitlistable_type text collate "C" not null
       generated always as (case when event_id is null then 'Exam' else 'Event' end) stored,
     add constraint waitlists_of_one_check check (num_nonnulls(event_id, exam_id) = 1)`,
    'create index on waitlists (created_at, id desc)',
    'alter table exams add waitlist_id integer references waitlists on delete set null',
    'create index on exams (waitlist_id)',
    'alter table exams_users add waiting boolean not null default false',
    'create index exams_users_waiting on exams_users (exam_id, updated_at, id) where waiting',
  )
}
