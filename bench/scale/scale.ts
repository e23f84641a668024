/** Measures what must stay fast at size, on the database that DATABASE_URL names; `--help` says how. */

import { openDatabase } from '@campus/engine/database/database'
import { SCHOOL_MIGRATIONS } from '@campus/intranet/school/resources/migrations'
import { describeMachine } from '../report.ts'
import { startServers } from '../start-servers.ts'
import { askerOf } from './asker.ts'
import { copyOver } from './copy.ts'
import { deepPages } from './deep-pages.ts'
import { everyRead } from './every-read.ts'
import { graphs } from './graphs.ts'
import { formatLines, type ScaleLine } from './lines.ts'
import { readScaleOptions, type ScaleOptions, USAGE } from './options.ts'
import { SMALL_LISTS, smallLists } from './small-lists.ts'
import { totals } from './totals.ts'

try {
  const options = readScaleOptions(process.argv.slice(2), process.env)
  if (options) await run(options)
  else console.log(USAGE)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

async function run({ databaseUrl, users, locations, rounds }: ScaleOptions): Promise<void> {
  const log = (text: string) => process.stderr.write(`${text}\n`)
  const servers = await startServers(
    { databaseUrl, users, locations, fixedPaths: SMALL_LISTS },
    (step, done, total) => {
      if (done === total) log(`seeded ${step}`)
    },
  )
  const database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url: databaseUrl })
  const lines: ScaleLine[] = []
  const measureAll = async (name: string, measured: () => Promise<readonly ScaleLine[]>) => {
    log(name)
    lines.push(...(await measured()))
  }
  try {
    const { uncached } = servers.targets
    const asked = { ask: askerOf(uncached, servers.ca), database, rounds }
    await measureAll('totals', () => totals(asked))
    await measureAll('far pages', () => deepPages(asked))
    await measureAll('graphs', () => graphs(asked))
    await measureAll('small lists', () => smallLists(servers, rounds))
    await measureAll('every read', async () => [await everyRead(asked.ask, log)])
    const { seededSeconds } = servers
    if (seededSeconds)
      await measureAll('COPY of the same rows', async () => [await copyOver(databaseUrl, seededSeconds)])
  } finally {
    await database.close()
    await servers.stop()
  }
  console.log(formatLines(describeMachine(servers), lines))
}
