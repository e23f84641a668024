import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

const OK = 1

/** `token`, `ip` and `internship_id` are filled by nobody; clients may filter and sort by them. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'scale_teams',
    `${ID}, scale_id integer not null references scales, team_id integer not null references teams on delete cascade,
     user_id integer references users on delete set null, begin_at timestamptz(3), comment text, feedback text,
     feedback_rating integer, final_mark integer, flag_id integer not null default ${OK} references flags,
     truant_id integer references users on delete set null, filled_at timestamptz(3), token text, ip text,
     internship_id integer, ${TIMES},
     constraint scale_teams_final_mark_check check (final_mark between 0 and 125),
     constraint scale_teams_feedback_rating_check check (feedback_rating between 0 and 5)`,
    { countRows: true },
  )
  await createTable(
    db,
    'answers',
    `${ID}, scale_team_id integer not null references scale_teams on delete cascade,
     question_id integer not null references questions on delete cascade, value integer, ${TIMES},
     unique (scale_team_id, question_id)`,
  )
  await createTable(
    db,
    'feedbacks',
    `${ID}, user_id integer not null references users on delete cascade, feedbackable_type text not null,
     feedbackable_id integer not null, comment text, rating integer, ${TIMES},
     unique (feedbackable_type, feedbackable_id, user_id),
     constraint feedbacks_rating_check check (rating between 0 and 5)`,
  )
  await createTable(
    db,
    'feedback_details',
    `${ID}, feedback_id integer not null references feedbacks on delete cascade, kind text not null,
     rate integer not null, ${TIMES}, unique (feedback_id, kind),
     constraint feedback_details_rate_check check (rate between 0 and 4)`,
  )
  await run(
    db,
    'create index on scale_teams (begin_at desc, id desc)',
    'create index on scale_teams (user_id, begin_at desc, id desc)',
    'create index on scale_teams (team_id)',
    'create index on scale_teams (scale_id)',
    'create index on scale_teams (filled_at)',
    'create index on answers (question_id)',
    'create index on feedbacks (user_id)',
    'create index on feedbacks (created_at, id desc)',
  )
}
