import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importFile } from '@campus/engine/rest/import/import-file'
import { openEngine, operator } from '@campus/intranet/cli/open-engine'
import { readConfig } from '@campus/intranet/settings/config'
import { createSealing } from '@campus/intranet/webhooks/sealing'
import { testDatabase } from '@campus/test/support/database'
import { withDatabaseServer } from '@campus/test/support/database-server'

/**
 * Imports people, by default 100,000, beside a bare COPY of the same rows into a table without indexes:
 * `npm run bench:import -- 100000`. Gives seconds on the clock and of this process, and the ratio to COPY.
 */
const rows = Number(process.argv[2] ?? 100_000)
const folder = join(tmpdir(), `campus-bench-import-${process.pid}`)
const file = `${folder}.csv`

const lines = Array.from(
  { length: rows },
  (_, n) => `b${n},b${n}@example.org,Ada ${n},Byron,student,2026,september,1,${n % 10}\n`,
)
await writeFile(
  file,
  `login,email,first_name,last_name,kind,pool_year,pool_month,campus_id,correction_point\n${lines.join('')}`,
)

type Spent = { readonly clock: number; readonly own: number }

async function timed(name: string, work: () => Promise<unknown>): Promise<Spent> {
  const [begun, before] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(before)
  const spent = { clock: (performance.now() - begun) / 1000, own: (user + system) / 1e6 }
  process.stdout.write(
    `${name.padEnd(28)} ${spent.clock.toFixed(1).padStart(8)} s, of this process ${spent.own.toFixed(1)} s\n`,
  )
  return spent
}

await withDatabaseServer(async () => {
  const database = await testDatabase()
  try {
    await database.rows("insert into languages (name, identifier) values ('English', 'en')")
    await database.rows(
      "insert into campus (name, slug, time_zone, language_id) select 'Here', 'here', 'UTC', min(id) from languages",
    )
    await database.rows(`create table copied (
      login text, email text, first_name text, last_name text, kind text, pool_year text, pool_month text, campus_id integer, points integer)`)
    const config = readConfig({ CAMPUS_DATA: folder })
    const engine = await openEngine({ database, config, sealing: async () => createSealing(undefined) })
    const options = {
      resource: 'users',
      file,
      key: 'login',
      takes: 'all or nothing',
      caller: operator('import'),
    } as const
    const copied = await timed('COPY', () => database.rows(`copy copied from '${file}' with (format csv, header)`))
    const attempted = await timed('tried, and taken back', () => importFile(engine, { ...options, isTrial: true }))
    const first = await timed('imported', () => importFile(engine, options))
    await timed('imported again, no change', () => importFile(engine, options))
    const [count] = await database.rows('select count(*) from users')
    process.stdout.write(
      `${count?.[0]} people; ${(first.clock / copied.clock).toFixed(0)} × COPY, ${(attempted.clock / copied.clock).toFixed(0)} × for a trial\n`,
    )
  } finally {
    await database.close()
  }
})
await rm(file)
await rm(folder, { recursive: true, force: true })
process.exit()
