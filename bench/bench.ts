/** Compares the service with a bare server; `--help` says how. */
import { compareSides } from './compare-sides.ts'
import type { ServersOptions } from './messages.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import { describeMachine, formatReport } from './report.ts'
import { requireSameBodies } from './same-bodies.ts'
import { type Scenario, scenariosOf } from './scenarios.ts'
import { type Servers, startServers } from './start-servers.ts'
import { SLOW_DISK, writesOf } from './writes.ts'

try {
  const options = readOptions(process.argv.slice(2))
  if (options) await run(options)
  else console.log(USAGE)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

async function run(options: Options): Promise<void> {
  const { users, locations, rounds } = options
  const show = (text: string) => process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${text}` : `${text}\n`)
  const measureLines = (scenarios: readonly Scenario[]) =>
    compareSides(scenarios, options, (round) => show(`round ${round} of ${rounds}`))
  const data = { databaseUrl: process.env.DATABASE_URL, users, locations }
  const { machine, lines } = await onServers(data, show, async (servers) => {
    await requireSameBodies(servers)
    return { machine: describeMachine(servers), lines: await measureLines(await scenariosOf(servers)) }
  })
  const written = await onServers(SLOW_DISK, show, (servers) => measureLines([writesOf(servers)]))
  if (process.stderr.isTTY) show('')
  const all = [...lines, ...written]
  console.log(options.json ? JSON.stringify({ machine, lines: all }) : formatReport(machine, all))
}

async function onServers<Result>(
  data: ServersOptions,
  show: (text: string) => void,
  use: (servers: Servers) => Promise<Result>,
): Promise<Result> {
  const servers = await startServers(data, showSeeding(show))
  try {
    return await use(servers)
  } finally {
    await servers.stop()
  }
}

/** Passes on every tenth part of a table, since a large one takes a while. */
function showSeeding(show: (text: string) => void) {
  let last = ''
  return (step: string, done: number, total: number) => {
    const text = `seeding ${step} ${Math.floor((done / Math.max(total, 1)) * 10) * 10} %`
    if (text !== last) show(text)
    last = text
  }
}
