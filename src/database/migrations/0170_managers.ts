import { type AnyDatabase, run } from '../tables.ts'

/** By the ids of the public service, as far as they are known. */
const ROLES = [
  [17, 'Companies Manager', 'Companies, offers and internships'],
  [70, 'Events manager', 'Events, and who waits for a place'],
  [71, '42network', 'Searches people and projects of the whole network'],
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
