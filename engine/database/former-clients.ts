import { sql } from 'kysely'
import { machineName } from '../base/process-name.ts'
import { serviceName, serviceVersion } from '../base/service.ts'
import type { Handle } from './handle.ts'
import { numbersOf } from './schema-release.ts'
import type { AnyDatabase } from './tables.ts'

export const CLIENT_NAME = `${serviceName()} `

export const applicationName = (process: string | undefined): string =>
  [`${CLIENT_NAME}${serviceVersion()}`, machineName(), process ?? []].flat().join(' ')

export async function findMachines({ rows }: Pick<Handle, 'rows'>): Promise<readonly string[]> {
  const found = await rows(
    `select distinct split_part(application_name, ' ', 3) from pg_stat_activity
     where datname = current_database() and application_name ^@ $1 order by 1`,
    [CLIENT_NAME],
  )
  return found.flatMap(([machine]) => machine || [])
}

/** Finds connections that may be of a former release, by name and address. Early releases gave no name. */
export async function findFormerClients(db: AnyDatabase): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string; address: string }>`
    select distinct split_part(application_name, ' ', 1) || ' ' || split_part(application_name, ' ', 2) as name, coalesce(client_addr::text, 'a socket') as address from pg_stat_activity
    where datname = current_database() and usename = current_user and backend_type = 'client backend'
      and pid <> pg_backend_pid() and (application_name = '' or (application_name ^@ ${CLIENT_NAME}
        and ${numbersOf(sql`substr(application_name, ${CLIENT_NAME.length + 1})`)} < ${numbersOf(sql`${serviceVersion()}::text`)}))
    order by 1, 2`.execute(db)
  return rows.map(({ name, address }) => `${name.trim() === '' ? 'a client without a name' : name} at ${address}`)
}
