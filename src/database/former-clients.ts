import { sql } from 'kysely'
import { serviceVersion } from '../base/service-version.ts'
import { numbersOf } from './schema-release.ts'
import type { AnyDatabase } from './tables.ts'

const NAME = 'campus-intranet '

/** What connections of this release say who they are (`application_name`). */
export const APPLICATION_NAME = `${NAME}${serviceVersion()}`

/**
 * Who is connected that may be a process of a former release: those that say so, and those that do not say who they are, as 0.2.0
 * does. Each by its name and address.
 */
export async function findFormerClients(db: AnyDatabase): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string; address: string }>`
    select distinct application_name as name, coalesce(client_addr::text, 'a socket') as address from pg_stat_activity
    where datname = current_database() and usename = current_user and backend_type = 'client backend'
      and pid <> pg_backend_pid() and (application_name = '' or (application_name ^@ ${NAME}
        and ${numbersOf(sql`substr(application_name, ${NAME.length + 1})`)} < ${numbersOf(sql`${serviceVersion()}::text`)}))
    order by 1, 2`.execute(db)
  return rows.map(({ name, address }) => `${name === '' ? 'a client without a name' : name} at ${address}`)
}
