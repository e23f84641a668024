import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/** Pictures of themselves that people upload, each in several sizes and formats. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
-- users.image names the picture that is served; what it does not name is swept.
create table profile_pictures (
  name text primary key, user_id integer not null references users on update cascade on delete cascade,
  created_at timestamptz(3) not null
);
create index on profile_pictures (user_id);

create table profile_picture_files (
  name text references profile_pictures on delete cascade, size text, format text,
  file_id integer not null references stored_files, primary key (name, size, format)
);
create index on profile_picture_files (file_id);
`
