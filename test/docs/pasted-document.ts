import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { NO_CURL } from '../support/curl.ts'
import { testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { type Outcome, outcomeOf } from '../support/run-campus.ts'
import { asShown } from './as-shown.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const END_OF_STEP = '\x1e'

/** Ends at the first command that fails, with the answer that it got. */
const STRICTLY = `set -euo pipefail; trap 'echo "$ANSWER" >&2' EXIT`

/** Commands, and what the document shows of the last answer that they print. */
type Step = { readonly commands: string; readonly shown: unknown }

/**
 * Pastes a document into bash: its first block starts the server, the others are commands, and each block of JSON is what
 * the last of them prints. `CAMPUS_SCRATCH` names a folder of the test's own.
 */
export function pasteDocument(name: string, variables: Readonly<Record<string, string>> = {}): void {
  let folder: Awaited<ReturnType<typeof temporaryFolder>> | undefined
  let database: Awaited<ReturnType<typeof testDatabase>> | undefined
  let env: Record<string, string>
  let start: Step
  let steps: readonly Step[]
  let server: { readonly child: ChildProcess; readonly outcome: Promise<Outcome> } | undefined

  before(async () => {
    if (NO_CURL) return
    ;[start, ...steps] = stepsOf(await readFile(join(ROOT, 'docs', name), 'utf8')) as [Step, ...Step[]]
    folder = await temporaryFolder()
    database = await testDatabase()
    const { PATH = '', HOME = '' } = process.env
    env = {
      PATH,
      HOME,
      CAMPUS_LOG_LEVEL: 'silent',
      CAMPUS_DATA: folder.path,
      CAMPUS_PORT: String(await freePort()),
      CAMPUS_SCRATCH: join(folder.path, 'scratch'),
      ...variables,
      DATABASE_URL: database.url,
      CAMPUS_PROCESSES: '1',
    }
  })

  after(async () => {
    if (server?.child.pid) process.kill(-server.child.pid, 'SIGTERM')
    await server?.outcome
    await database?.close()
    await folder?.remove()
  })

  test(`whoever pastes ${name} sees what it shows`, { timeout: 120_000, skip: NO_CURL }, async () => {
    server = await serve(start.commands, env)
    const script = steps.map(({ commands }) => `${commands}printf '${END_OF_STEP}'\n`)
    const { code, stdout, stderr } = await outcomeOf(paste(`${STRICTLY}\n${script.join('')}`, env))
    const printed = stdout.split(END_OF_STEP)
    assert.equal(code, 0, `${stderr}after\n${steps[printed.length - 1]?.commands}${printed.at(-1)}`)
    for (const [index, { commands, shown }] of steps.entries()) {
      if (shown === undefined) continue
      const answer = JSON.parse(printed[index]?.trim().split('\n').at(-1) ?? '')
      assert.deepEqual(asShown(answer, shown), shown, `not what is shown after\n${commands}`)
    }
  })
}

function stepsOf(document: string): Step[] {
  const found = document.matchAll(/^```sh\n(.*?)^```$(?:\s*^```json\n(.*?)^```$)?/gms)
  const steps = [...found].map(([, commands = '', shown]) => ({ commands, shown: shown && JSON.parse(shown) }))
  const shown = steps.filter((step) => step.shown !== undefined)
  assert.equal(steps.length + shown.length, document.match(/^```\w+$/gm)?.length, 'a block that nothing checks')
  return steps
}

/** In a process group of its own, so that what it starts can be stopped with it. */
function paste(commands: string, env: Readonly<Record<string, string>>) {
  const child = spawn('bash', { cwd: ROOT, env, detached: true })
  child.stdin.end(commands)
  return child
}

async function serve(commands: string, env: Readonly<Record<string, string>>) {
  const child = paste(commands, env)
  const outcome = outcomeOf(child)
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', (data) => {
      if (String(data).includes('Ctrl-C stops it.')) resolve()
    })
  })
  await Promise.race([ready, outcome.then(({ stderr }) => assert.fail(`the server ended: ${stderr}`))])
  return { child, outcome }
}
