/**
 * Measures the service and other REST servers on the same rows. `--help` lists the options; README.md describes the
 * measurements.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '@campus/engine/database/database'
import { describeData } from '../data.ts'
import { describeMachine } from '../report.ts'
import { compareSides } from './compare.ts'
import { openShared } from './database.ts'
import { installPeers } from './install.ts'
import { type PeersOptions, readPeersOptions, USAGE } from './options.ts'
import { megabytesOf } from './processor.ts'
import { AGAIN, type Question, questionsFor, removeWritten } from './questions.ts'
import { formatReport } from './report.ts'
import { requireSameRows } from './same-rows.ts'
import { type Side, type Sides, startSides } from './sides.ts'

/** Pause before memory is measured, since a server is not idle right after its start. */
const IDLE_SECONDS = 5

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
try {
  const options = readPeersOptions(process.argv.slice(2), process.env)
  console.log(options ? await run(options) : USAGE)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

async function run(options: PeersOptions): Promise<string> {
  await installPeers(log)
  const loadBefore = loadavg()[0] as number
  const folder = await mkdtemp(join(tmpdir(), 'campus-bench-peers-'))
  try {
    const shared = await openShared(folder, options, (step, done, total) => {
      if (done === total) log(`seeded ${step}`)
    })
    try {
      const sides = await startSides(shared.url, folder)
      try {
        const measured = await measureAll(shared.database, sides, options)
        const machine = describeMachine(await describeData(shared.database))
        return formatReport({ ...options, ...measured, machine, loadBefore })
      } finally {
        await sides.stop()
        await removeWritten(shared.database)
      }
    } finally {
      await shared.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureAll(database: Database, { anew, caching }: Sides, options: PeersOptions) {
  await sleep(IDLE_SECONDS * 1000)
  const everybody = [...caching.map((side) => ({ ...side, name: `${side.name}, with its cache of answers` })), ...anew]
  const idle = await Promise.all(everybody.map(memoryOf))
  const questions = await questionsFor(database)
  await requireSameRows(anew, questions)
  await requireSameRows(caching, AGAIN)
  const measure = (sides: readonly Side[], asked: readonly Question[]) =>
    compareSides(database, sides, asked, options, (round, name) =>
      log(`${round ? `round ${round}` : 'warm-up'}: ${name}`),
    )
  const measured = {
    anewNames: anew.map(({ name }) => name),
    anew: await measure(anew, questions),
    againNames: caching.map(({ name }) => name),
    again: await measure(caching, AGAIN),
  }
  const afterwards = await Promise.all(everybody.map(memoryOf))
  const memory = everybody.map(({ name }, index) => ({
    name,
    idle: idle[index] as number,
    afterwards: afterwards[index] as number,
  }))
  return { ...measured, memory }
}

function memoryOf({ running }: Side): Promise<number> {
  return megabytesOf(running.pid)
}

function log(text: string): void {
  process.stderr.write(`${text}\n`)
}
