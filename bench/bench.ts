/** Compares the service with a bare server; `--help` says how. */
import { compareSides } from './compare-sides.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import { describeMachine, formatReport } from './report.ts'
import { requireSameBodies } from './same-bodies.ts'
import { scenariosOf } from './scenarios.ts'
import { startServers } from './start-servers.ts'

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
  const showProgress = (text: string) => process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${text}` : `${text}\n`)
  const servers = await startServers(
    { databaseUrl: process.env.DATABASE_URL, users, locations },
    showSeeding(showProgress),
  )
  try {
    await requireSameBodies(servers)
    const machine = describeMachine(servers)
    const lines = await compareSides(await scenariosOf(servers), options, (round) =>
      showProgress(`round ${round} of ${rounds}`),
    )
    if (process.stderr.isTTY) showProgress('')
    console.log(options.json ? JSON.stringify({ machine, lines }) : formatReport(machine, lines))
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
