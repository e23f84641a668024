import { campus, type World } from './campus.ts'
import { temporaryFolder } from './folder.ts'
import { type Scraped, scrape } from './scrape.ts'
import { until } from './until.ts'

/** The place of the table in docs/monitoring.md. */
const TABLE =
  /(?<=<!-- `npm run generate -- metrics` writes this table\. -->\n\n)[\s\S]*?(?=\n\n<!-- The table ends\. -->)/

/** Returns the page with another table. */
export const withMetrics = (page: string, table: string): string => page.replace(TABLE, () => table)

/** Returns the table of every metric that a service exports. */
export async function metricsTable({ anonymous }: World): Promise<string> {
  // Exported only by the process that makes backups, once it holds the lease of that job.
  await until(async () => (await scrape(anonymous)).has('campus_backup_last_success_timestamp_seconds'))
  return tableOf(await scrape(anonymous))
}

/** A service that exports every metric. */
export const measuredCampus = (backups: string): Promise<World> =>
  campus({ seeded: true, env: { CAMPUS_BACKUP_FOLDER: backups } })

/** Returns the table of a service that is started for it. */
export async function exportedMetrics(): Promise<string> {
  const backups = await temporaryFolder()
  const world = await measuredCampus(backups.path)
  try {
    return await metricsTable(world)
  } finally {
    await world.close()
    await backups.remove()
  }
}

const tableOf = (families: ReadonlyMap<string, Scraped>) =>
  [
    '| Metric | Kind | Meaning |',
    '|---|---|---|',
    ...[...families]
      .sort(([one], [other]) => orderOf(one) - orderOf(other))
      .map(([name, { type, help }]) => `| \`${name}\` | ${type} | ${help} |`),
  ].join('\n')

/** The service's metrics come before those of the library. */
const orderOf = (name: string) => (name.startsWith('campus_') ? 0 : 1)
