import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { giveCluster } from '@campus/test/support/clusters'
import { temporaryFolder } from '@campus/test/support/folder'
import { freePort } from '@campus/test/support/free-port'
import { outcomeOf, startCampus } from '@campus/test/support/run-campus'

it('a service that is told to reload while it starts goes on, reloads when it serves, and says to systemd that it does', async () => {
  const { path, remove } = await temporaryFolder()
  await giveCluster(join(path, 'data'), 'migrated')
  // Stands for systemd's program, which needs a systemd.
  const [programs, reported] = [join(path, 'programs'), join(path, 'told')]
  await mkdir(programs)
  await writeFile(join(programs, 'systemd-notify'), `#!/bin/sh\necho "$NOTIFY_SOCKET" "$@" > '${reported}'\n`)
  await chmod(join(programs, 'systemd-notify'), 0o755)
  const port = String(await freePort())
  const child = startCampus(['serve', '--empty'], {
    CAMPUS_DATA: join(path, 'data'),
    CAMPUS_PORT: port,
    NOTIFY_SOCKET: '/run/systemd/notify',
    PATH: `${programs}:${process.env.PATH}`,
  })
  const outcome = outcomeOf(child)
  let text = ''
  child.stdout?.on('data', (written) => {
    text += written
  })
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  try {
    // The embedded database is started after the service listens to signals.
    while (!isOver() && !(await readFile(join(path, 'data/postgresql/postmaster.pid')).catch(() => undefined)))
      await pause(5)
    child.kill('SIGHUP')
    while (!isOver() && !text.includes('"reloaded"')) await Promise.race([once(child, 'exit'), pause(20)])
    assert.deepEqual([child.exitCode, child.signalCode], [null, null], text)
    assert.ok(text.indexOf('"serving"') < text.indexOf('"reloading"'))
    while (!(await readFile(reported, 'utf8').catch(() => ''))) await pause(20)
    assert.equal(
      await readFile(reported, 'utf8'),
      `/run/systemd/notify --ready --status=Serving at https://localhost:${port}\n`,
    )
    child.kill('SIGTERM')
    assert.equal((await outcome).code, 0)
  } finally {
    child.kill('SIGKILL')
    await outcome
    await remove()
  }
})
