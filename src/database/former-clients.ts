import { sql } from 'kysely'
import { serviceVersion } from '../base/service-version.ts'
import type { AnyDatabase } from './tables.ts'

const NAME = 'campus-intranet'

/** What connections of this release say who they are (`application_name`). */
export const APPLICATION_NAME = `${NAME} ${serviceVersion()}`

/**
 * Who is connected that may be a process of a former release: those that say so, and those that do not say who they are, as 0.2.0
 * does. Each by its name and address.
 */
export async function findFormerClients(db: AnyDatabase): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string; address: string }>`
    select distinct application_name as name, coalesce(client_addr::text, 'a socket') as address from pg_stat_activity
    where datname = current_database() and usename = current_user and backend_type = 'client backend'
      and pid <> pg_backend_pid() order by 1, 2`.execute(db)
  return rows
    .filter(({ name }) => isFormer(name))
    .map(({ name, address }) => `${name === '' ? 'a client without a name' : name} at ${address}`)
}

function isFormer(name: string): boolean {
  if (name === '') return true
  if (!name.startsWith(`${NAME} `)) return false
  const [other, own] = [numbersOf(name.slice(NAME.length + 1)), numbersOf(serviceVersion())]
  const at = own.findIndex((number, index) => number !== (other[index] ?? 0))
  return at !== -1 && (other[at] ?? 0) < (own[at] ?? 0)
}

/** What comes before a release counts as it. */
const numbersOf = (version: string): readonly number[] => (/^[\d.]+/.exec(version)?.[0] ?? '').split('.').map(Number)
