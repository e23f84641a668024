import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'certificates',
    `${ID}, name text not null unique, content text, image text, cursus_id integer references cursus, ${TIMES}`,
  )
  await createTable(
    db,
    'certificates_users',
    `${ID}, certificate_id integer not null references certificates,
     user_id integer not null references users on delete cascade, certificate_number integer not null, qrcode text,
     pdf text, certified_at timestamptz(3) not null, ${TIMES}, unique (certificate_id, user_id),
     unique (certificate_id, certificate_number)`,
  )
  await run(db, 'create index on certificates (cursus_id)', 'create index on certificates_users (user_id)')
}
