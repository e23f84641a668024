import type { Handle } from '@campus/engine/database/database'
import { textContains } from '@campus/engine/database/text-contains'
import { sql } from 'kysely'

type Reader = Pick<Handle, 'kysely'>

/** Visible projects, the shortest name first. */
export const projectsByName = ({ kysely }: Reader, text: string, limit: number) =>
  kysely
    .selectFrom('projects')
    .select(['id', 'name'])
    .where('visible', '=', true)
    .where(textContains(text, ['name']))
    .orderBy(sql`length(name)`)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Events that are not over, in order of time. */
export const eventsByName = ({ kysely }: Reader, text: string, now: Date, limit: number) =>
  kysely
    .selectFrom('events')
    .select(['id', 'name', 'begin_at'])
    .where('end_at', '>', now)
    .where(textContains(text, ['name']))
    .orderBy('begin_at')
    .orderBy('id')
    .limit(limit)
    .execute()
