import { type AnyDatabase, run } from '../tables.ts'

const ROLES = [
  [60, '42network', 'Reads the staff of the whole network'],
  [61, 'Community manager', 'Announcements'],
  [62, 'Video manager', 'Course material: notions, subnotions, films'],
]

/** Staff may have made roles of these names before the service knew them. */
export async function up(db: AnyDatabase): Promise<void> {
  for (const [id, name, description] of ROLES) {
    await run(
      db,
      `insert into roles (id, name, description) values (${id}, '${name}', '${description}') on conflict (name) do nothing`,
    )
  }
}
