import { typedCommand } from '@campus/engine/base/text/typed-command'
import type { Database } from '@campus/engine/database/database'

/** Thrown if a database must not become a copy of a service. */
export class MirrorRefused extends Error {}

type Origin = { readonly url: string; readonly campusId: number | undefined }

/** Records the origin of a copy. Throws MirrorRefused unless the database has no users or is a copy of the same origin. */
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

/** Checks that `requireOwnCopy` would accept the origin, and writes nothing. */
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

/** Returns the origin of the copy. Ignores an origin from which nothing was read, such as a misspelt address. */
async function originOf({ kysely }: Database) {
  const known = await kysely.selectFrom('mirror_source').select(['url', 'campus_id', 'finished_at']).executeTakeFirst()
  if (!known || known.finished_at !== null) return known
  for (const table of ['mirror_rows', 'mirror_lists'] as const)
    if ((await kysely.selectFrom(table).select('relation').limit(1).execute()).length > 0) return known
  return undefined
}
