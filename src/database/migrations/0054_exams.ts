import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'exams',
    `${ID}, name text not null, ip_range text, location text, max_people integer,
     campus_id integer references campus on delete cascade, begin_at timestamptz(3) not null,
     end_at timestamptz(3) not null, validated_at timestamptz(3), ${TIMES},
     constraint exams_end_at_check check (end_at > begin_at),
     constraint exams_max_people_check check (max_people >= 0)`,
  )
  for (const [one, many] of [
    ['cursus', 'cursus'],
    ['project', 'projects'],
  ]) {
    await createTable(
      db,
      `exams_${many}`,
      `${ID}, exam_id integer not null references exams on delete cascade,
       ${one}_id integer not null references ${many} on delete cascade, unique (exam_id, ${one}_id)`,
    )
    await run(db, `create index on exams_${many} (${one}_id)`)
  }
  await createTable(
    db,
    'exams_users',
    `${ID}, exam_id integer not null references exams on delete cascade,
     user_id integer not null references users on delete cascade, ${TIMES}, unique (exam_id, user_id)`,
    { countRows: true },
  )
  await run(
    db,
    'create index on exams (begin_at desc, id desc)',
    'create index on exams (campus_id)',
    'create index on exams_users (user_id)',
  )
}
