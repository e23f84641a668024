import { typedCommand } from '@campus/engine/base/text/typed-command'
import type { Database } from '@campus/engine/database/database'

/** The database is no copy of that service, and must not become one. */
export class MirrorRefused extends Error {}

type Origin = { readonly url: string; readonly campusId: number | undefined }

/** A database may be copied into while it is empty of people, or when it is a copy of the same already. Throws MirrorRefused. */
export async function requireOwnCopy(database: Database, origin: Origin): Promise<void> {
  await requireMayBeCopied(database, origin)
  if ((await originOf(database)) !== undefined) return
  await database.kysely.deleteFrom('mirror_places').execute()
  const values = { url: origin.url, campus_id: origin.campusId ?? null }
  await database.kysely
    .insertInto('mirror_source')
    .values({ id: 1, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
}

/** The same, and nothing is written. */
export async function requireMayBeCopied(database: Database, { url, campusId }: Origin): Promise<void> {
  const known = await originOf(database)
  if (known) {
    if (known.url === url && known.campus_id === (campusId ?? null)) return
    const part = known.campus_id === null ? 'all' : `campus ${known.campus_id}`
    throw new MirrorRefused(`This database is a copy of ${known.url} (${part}): copy something else into another one.`)
  }
  const people = await database.kysely.selectFrom('users').select('id').limit(1).execute()
  if (people.length > 0)
    throw new MirrorRefused(
      `This database holds people of its own: copy into an empty one (${typedCommand('serve --empty')}).`,
    )
}

/** What the database is a copy of; a service of which nothing has been read, such as one at a misspelt address, does not count. */
async function originOf({ kysely }: Database) {
  const known = await kysely.selectFrom('mirror_source').select(['url', 'campus_id', 'finished_at']).executeTakeFirst()
  if (!known || known.finished_at !== null) return known
  for (const table of ['mirror_rows', 'mirror_lists'] as const)
    if ((await kysely.selectFrom(table).select('relation').limit(1).execute()).length > 0) return known
  return undefined
}
