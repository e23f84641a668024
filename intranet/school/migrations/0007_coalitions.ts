import { type AnyDatabase, ID, runScript, TIMES } from '@campus/engine/database/tables'

/** Coalitions and their scores, wallets and the shop. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
create table blocs (
  ${ID}, campus_id integer not null references campus, cursus_id integer not null references cursus,
  squad_size integer not null default 0, coalition_delay integer, repeat_deadline_delay integer, ${TIMES}
);
create index on blocs (campus_id);
create index on blocs (cursus_id);

create table coalitions (
  ${ID}, name text not null, slug text not null unique, image_url text, cover_url text, color text,
  score integer not null default 0, user_id integer references users on delete set null, ${TIMES},
  bloc_id integer references blocs, image_file_id integer references stored_files, image_file_name text,
  cover_file_id integer references stored_files, cover_file_name text,
  constraint coalitions_name_key unique (bloc_id, name)
);
create index on coalitions (user_id);
create index on coalitions (image_file_id);
create index on coalitions (cover_file_id);

create table coalitions_users (
  ${ID}, coalition_id integer not null, user_id integer not null references users on delete cascade,
  score integer not null default 0, ${TIMES}, this_year_score_updated_at timestamptz(3),
  unique (coalition_id, user_id), foreign key (coalition_id) references coalitions
);
create index on coalitions_users (created_at desc, id desc);
create index on coalitions_users (score, id);

create table bloc_deadlines (
  ${ID}, bloc_id integer not null references blocs on delete cascade,
  coalition_id integer references coalitions on delete set null, begin_at timestamptz(3) not null,
  end_at timestamptz(3) not null, ${TIMES}, constraint bloc_deadlines_end_at_check check (end_at > begin_at)
);
create index on bloc_deadlines (bloc_id);
create index on bloc_deadlines (coalition_id);

-- How many members of a coalition have so many points, one by one (shift 0) and by 256 (shift 8).
create table coalition_standings (
  coalition_id integer references coalitions on delete cascade, shift smallint, bucket integer,
  members integer not null, primary key (coalition_id, shift, bucket)
) with (fillfactor = 70);

create table scores (
  ${ID}, coalition_id integer not null references coalitions,
  coalitions_user_id integer references coalitions_users on delete set null, calculation_id integer,
  scoreable_id integer, scoreable_type text, value integer not null, reason text not null, ${TIMES}
);
create index on scores (created_at desc, id desc);

create table squads (${ID}, bloc_id integer not null references blocs, locked_at timestamptz(3), ${TIMES});
create index on squads (bloc_id);

create table squads_users (
  ${ID}, squad_id integer not null references squads on delete cascade,
  user_id integer not null references users on delete cascade, leader boolean not null default false,
  validated boolean not null default false, ${TIMES}, unique (squad_id, user_id)
);
create index on squads_users (user_id);

-- The ledger of wallets: what a person has is the sum of its entries.
create table transactions (
  ${ID}, value integer not null, user_id integer not null references users on delete cascade,
  transactable_id integer, transactable_type text not null, reason text not null, ${TIMES},
  unique (user_id, transactable_type, transactable_id)
);
create index on transactions (created_at, id);

create table products (
  ${ID}, name text not null unique, description text not null, price integer not null, quantity integer,
  begin_at timestamptz(3), end_at timestamptz(3), category_id integer not null,
  kind text not null check (kind in ('user', 'manager', 'auto')), slug text not null unique, image text,
  is_uniq boolean, one_time_purchase boolean, ${TIMES}, constraint products_end_at_check check (end_at > begin_at)
);

create table campus_products (
  ${ID}, campus_id integer not null references campus,
  product_id integer not null references products on delete cascade, unique (product_id, campus_id)
);

create table commands (
  ${ID}, product_id integer not null references products,
  user_id integer not null references users on delete cascade, owner_id integer references users on delete set null,
  used boolean not null default false, validator_id integer references users on delete set null,
  validated_at timestamptz(3), ${TIMES}
);
create index on commands (user_id);
`
