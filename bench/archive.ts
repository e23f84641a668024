import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { demonstrationFiles } from '@campus/demo/demonstration-files'
import { seed } from '@campus/demo/seeds/seed'
import { migrate } from '@campus/engine/database/migrate'
import { storageOfResources } from '@campus/intranet/school/resources/declared'
import { emptyDatabase, emptyUnusedDatabase } from '@campus/test/support/database'
import { withTestServer } from '@campus/test/support/database-server'
import { OLDEST_BINARIES } from '@campus/test/support/oldest-server'

/**
 * Compares backup and restore of a school with `pg_dump -Fc` and `pg_restore` of the same database. The defaults are
 * 200 people and three rounds: `npm run bench:archive -- 20000 1` uses 20,000 people and one round. Prints the median
 * elapsed and processor time, the maximum memory of the process, and the bytes written.
 */
const users = Number(process.argv[2] ?? 200)
const rounds = Number(process.argv[3] ?? 3)
const folder = join(tmpdir(), `campus-bench-archive-${process.pid}`)

type Spent = { readonly clock: number; readonly processors: number; readonly mebibytes: number }

/** Runs a program, and samples its time and memory every 20 ms. The samples miss the end of the run. */
async function spend(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Spent> {
  const begun = performance.now()
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'close')
  let [processors, mebibytes] = [0, 0]
  while (child.exitCode === null && child.signalCode === null) {
    const [status, times] = await Promise.all(
      ['status', 'stat'].map((name) => readFile(`/proc/${child.pid}/${name}`, 'utf8').catch(() => '')),
    )
    mebibytes = Math.max(mebibytes, Number(/VmHWM:\s+(\d+)/.exec(status ?? '')?.[1] ?? 0) / 1024)
    const [user = 0, system = 0] = (times ?? '').split(') ').at(-1)?.split(' ').slice(11, 13).map(Number) ?? []
    processors = Math.max(processors, (user + system) / 100)
    await Promise.race([ended, sleep(20)])
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`${command} ${args[0]} ended with ${code}`)
  return { clock: (performance.now() - begun) / 1000, processors, mebibytes }
}

const campus = (words: readonly string[], data: string, url: string) =>
  spend(process.execPath, ['build/campus.js', ...words], { CAMPUS_DATA: data, DATABASE_URL: url })

const median = (values: readonly number[]) => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

const spent = new Map<string, Spent[]>()
const note = (name: string, one: Spent) => spent.set(name, [...(spent.get(name) ?? []), one])

/** Restores into a new database. */
async function restoring(name: string, restore: (url: string, data: string) => Promise<Spent>): Promise<void> {
  // A service with open connections could write before the restore has added constraints.
  const target = await emptyUnusedDatabase()
  const data = join(folder, `to-${randomBytes(4).toString('hex')}`)
  await mkdir(data)
  note(name, await restore(target.url, data).finally(() => target.close()))
  await rm(data, { recursive: true })
}

await mkdir(folder, { recursive: true })
await withTestServer(async (env) => {
  Object.assign(process.env, env)
  const school = await emptyDatabase()
  try {
    const data = join(folder, 'from')
    await migrate(school.kysely, storageOfResources())
    const files = demonstrationFiles(school, { files: join(data, 'files'), s3: undefined })
    await seed(school, { users, locations: users * 5, now: new Date(), files })
    await school.rows('vacuum analyze').catch(() => school.rows('analyze'))
    const [size] = await school.rows('select pg_database_size(current_database())')
    const [archive, dump] = [join(folder, 'school.campus'), join(folder, 'school.dump')]
    for (let round = 0; round < rounds; round += 1) {
      await rm(archive, { force: true })
      note('campus backup', await campus(['backup', archive, '--json'], data, school.url))
      note('pg_dump -Fc', await spend(join(OLDEST_BINARIES, 'pg_dump'), ['-Fc', '-f', dump, school.url]))
      await restoring('campus restore', (url, to) => campus(['restore', archive, '--json'], to, url))
      await restoring('pg_restore', (url) =>
        spend(join(OLDEST_BINARIES, 'pg_restore'), ['-d', url, '--no-owner', dump]),
      )
    }
    const bytes = new Map([
      ['campus backup', (await stat(archive)).size],
      ['pg_dump -Fc', (await stat(dump)).size],
    ])
    process.stdout.write(
      `${users} people, ${(Number(size?.[0]) / 1e6).toFixed(0)} MB in the database, ${rounds} rounds\n`,
    )
    for (const [name, all] of spent) {
      const of = (part: keyof Spent, digits: number) =>
        median(all.map((one) => one[part]))
          .toFixed(digits)
          .padStart(8)
      const size = bytes.get(name)
      process.stdout.write(
        `${name.padEnd(16)}${of('clock', 1)} s${of('processors', 1)} s of processors${of('mebibytes', 0)} MiB` +
          `${size === undefined ? '' : `${(size / 1e6).toFixed(1).padStart(8)} MB`}\n`,
      )
    }
  } finally {
    await school.close()
  }
}, OLDEST_BINARIES)
await rm(folder, { recursive: true, force: true })
process.exit()
