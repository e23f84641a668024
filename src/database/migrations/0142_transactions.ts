import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

const ROLES = [
  ['Transactions manager', 'Wallets: what users are given and what they spend'],
  ['Shop manager', 'Products of the shop'],
]

/** The ledger of wallets: what somebody has is the sum of its entries, and what they have today its first one. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'transactions',
    `${ID}, value integer not null, user_id integer not null references users on delete cascade,
     transactable_id integer, transactable_type text not null, reason text not null, ${TIMES},
     unique (user_id, transactable_type, transactable_id)`,
    { countRows: true },
  )
  await run(
    db,
    'create index on transactions (created_at, id)',
    'create index on transactions (reason)',
    `insert into transactions (value, user_id, transactable_type, reason, created_at, updated_at)
     select wallet, id, 'User', 'Creation', created_at, created_at from users where wallet <> 0 order by id`,
  )
  // Ids up to 100 are the service's; staff may have made a role of that name themselves.
  for (const [name, description] of ROLES) {
    await run(
      db,
      `insert into roles (id, name, description)
       select max(id) + 1, '${name}', '${description}' from roles where id <= 100 on conflict (name) do nothing`,
    )
  }
}
