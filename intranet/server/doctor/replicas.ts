import { reasonOf } from '@campus/engine/database/errors'
import { lookAtServer } from '@campus/engine/database/server'
import { type Kysely, sql } from 'kysely'
import { type Found, fault, warning, well } from './finding.ts'

/** Checks whether each replica follows this database and lets statements end. */
export async function lookAtReplicas<T>(urls: readonly string[], kysely: Kysely<T>): Promise<readonly Found[]> {
  if (urls.length === 0) return []
  const { rows } = await sql<{
    system: string
  }>`select system_identifier::text as system from pg_control_system()`.execute(kysely)
  return Promise.all(urls.map((url) => lookAt(url, rows[0]?.system)))
}

async function lookAt(url: string, system: string | undefined): Promise<Found> {
  const name = `the replica ${URL.parse(url)?.host}`
  try {
    const found = await lookAtServer(url)
    if (found.system !== system)
      return fault(
        `${name} is of another cluster`,
        'It must follow the database of DATABASE_URL by streaming replication.',
      )
    if (!found.isStandby)
      return fault(
        `${name} is no standby`,
        'It is not read: remove it from DATABASE_REPLICA_URLS, or make it follow the primary.',
      )
    if (!found.hasFeedback)
      return warning(
        `${name} answers, and may end long statements`,
        'Set hot_standby_feedback to on there, so that the primary does not delete rows that they read.',
      )
    return well(`${name} follows it`)
  } catch (error) {
    return fault(
      `${name} does not answer (${reasonOf(error)})`,
      'The primary is read instead: see to it, or remove it from DATABASE_REPLICA_URLS.',
    )
  }
}
