import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/** What the shop has, at which campuses, and who ordered it. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'products',
    `${ID}, name text not null unique, description text not null, price integer not null, quantity integer,
     begin_at timestamptz(3), end_at timestamptz(3), category_id integer not null,
     kind text not null check (kind in ('user', 'manager', 'auto')), slug text not null unique, image text,
     is_uniq boolean, one_time_purchase boolean, ${TIMES}, constraint products_end_at_check check (end_at > begin_at)`,
  )
  await createTable(
    db,
    'campus_products',
    `${ID}, campus_id integer not null references campus, product_id integer not null references products on delete cascade,
     unique (product_id, campus_id)`,
  )
  await createTable(
    db,
    'commands',
    `${ID}, product_id integer not null references products, user_id integer not null references users on delete cascade,
     owner_id integer references users on delete set null, used boolean not null default false,
     validator_id integer references users on delete set null, validated_at timestamptz(3), ${TIMES}`,
  )
  await run(
    db,
    'create index on campus_products (campus_id)',
    ...['product_id', 'user_id', 'owner_id', 'validator_id'].map((column) => `create index on commands (${column})`),
  )
}
