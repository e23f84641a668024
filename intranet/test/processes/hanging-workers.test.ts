/** A worker that hangs, while it serves or while it starts, is killed and replaced. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { after, before, describe, it } from 'node:test'
import { until } from '@campus/test/support/until'

const moduleOf = (name: string) => new URL(`../../server/processes/${name}.ts`, import.meta.url).href

/** Two workers, which are replaced on demand. Workers of the second kind freeze themselves before they are ready. */
const PROGRAM = `
import cluster from 'node:cluster'
import { IpcChannel } from '${moduleOf('ipc-channel')}'
import { Workers } from '${moduleOf('workers')}'
const say = (what) => console.log(JSON.stringify(what))
if (cluster.isPrimary) {
  const workers = new Workers({
    count: 2,
    words: [],
    answers: { serves: (pid) => say({ serves: pid }) },
    onEnded() {},
    onWarning: (warning) => say({ warning }),
    pulseMilliseconds: 500,
  })
  await workers.start()
  process.stdin.on('data', () => {
    process.env.FREEZES = 'yes'
    workers.roll().then(() => say({ rolled: true }), ({ message }) => say({ failed: message }))
  })
} else {
  const channel = new IpcChannel(process)
  if (process.env.FREEZES) process.kill(process.pid, 'SIGSTOP')
  await channel.ask('serves', process.pid)
  await channel.ask('ready', process.pid)
}
`

type Line = { readonly serves?: number; readonly warning?: string; readonly failed?: string; readonly rolled?: boolean }

describe('a worker that hangs', () => {
  let primary: ReturnType<typeof spawn>
  const lines: Line[] = []
  before(async () => {
    primary = spawn(process.execPath, ['--input-type=module-typescript', '-e', PROGRAM, 'workers'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    assert.ok(primary.stdout)
    createInterface(primary.stdout).on('line', (line) => lines.push(JSON.parse(line)))
    await until(() => serving().length >= 2)
  })
  after(() => primary.kill('SIGKILL'))

  const serving = () => lines.flatMap(({ serves }) => serves ?? [])
  const warned = (text: string) => lines.some(({ warning }) => warning?.includes(text))

  it('is killed, and another serves in its place', async () => {
    const [frozen] = serving()
    assert.ok(frozen)
    process.kill(frozen, 'SIGSTOP')
    await until(() => serving().length === 3)
    assert.ok(warned(`Process ${frozen} does not answer and is killed.`))
    assert.ok(warned(`Process ${frozen} ended (SIGKILL) and is started again.`))
  })

  it('is killed while it starts, which cancels the restart and leaves the former workers running', async () => {
    const former = serving().slice(1)
    primary.stdin?.write('roll')
    await until(() => lines.some(({ failed, rolled }) => failed !== undefined || rolled))
    assert.equal(lines.at(-1)?.failed, 'A process ended before it served (SIGKILL).')
    for (const pid of former) assert.ok(process.kill(pid, 0))
    assert.equal(lines.filter(({ warning }) => warning?.includes('does not answer')).length, 2)
  })
})
