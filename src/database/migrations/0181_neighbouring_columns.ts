import { type AnyDatabase, run } from '../tables.ts'

/** Columns of existing tables that published programs read, filter by or write. */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    `alter table groups add column color text collate "C",
       add column kind text collate "C" not null default 'important'`,
    `alter table achievements add column reward integer not null default 0,
       add column position integer not null default 0`,
    `alter table achievements_users add column nbr_of_success integer,
       add column rewarded boolean not null default false`,
    `alter table projects add column objectives text collate "C" not null default '[]'`,
    `alter table exams add column visible boolean not null default true,
       add column validator_id integer references users on delete set null,
       add column prohibition_of_cancellation integer,
       add constraint exams_prohibition_of_cancellation_check check (prohibition_of_cancellation >= 0)`,
    'create index on exams (validator_id)',
    // What a session without one has always been judged by.
    'update project_sessions set minimum_mark = 50 where minimum_mark is null',
    'alter table project_sessions alter column minimum_mark set default 50, alter column minimum_mark set not null',
    `insert into roles (id, name, description)
     values (15, 'Achievements Manager', 'Says who has won which achievement') on conflict do nothing`,
  )
}
