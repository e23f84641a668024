import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { it } from 'node:test'
import { giveCluster } from '@campus/test/support/clusters'
import { temporaryFolder } from '@campus/test/support/folder'
import { freePort } from '@campus/test/support/free-port'
import { outcomeOf, startCampus } from '@campus/test/support/run-campus'

it('a service says when it has migrated, serves, reloads or cannot, stops and has stopped', async () => {
  const folder = await temporaryFolder()
  const data = join(folder.path, 'data')
  await giveCluster(data, 'empty')
  const child = startCampus(['serve', '--empty'], { CAMPUS_DATA: data, CAMPUS_PORT: String(await freePort()) })
  const outcome = outcomeOf(child)
  let text = ''
  child.stdout?.on('data', (written) => {
    text += written
  })
  // The banner, which is for people, stands between them.
  const lines = () =>
    text
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
  async function lineOf(message: string) {
    for (;;) {
      const line = lines().find(({ msg }) => msg === message)
      if (line) return line
      assert.deepEqual([child.exitCode, child.signalCode], [null, null], `no line ${message} in ${text}`)
      await Promise.race([once(child.stdout as Readable, 'data'), outcome])
    }
  }
  try {
    const { migrations, latest } = await lineOf('migrated')
    assert.ok(migrations >= 10 && /^\d{4}_/.test(latest), `${migrations} up to ${latest}`)
    const serving = await lineOf('serving')
    assert.deepEqual([serving.processes, serving.database], [1, 'embedded'])
    assert.match(serving.address, /^https:\/\/localhost:\d+$/)
    while (!text.includes('Ctrl-C stops it.')) await Promise.race([once(child.stdout as Readable, 'data'), outcome])
    assert.match(text, /Ctrl-C stops it\.\n\n$/, 'the banner is what a start says last')
    child.kill('SIGHUP')
    await lineOf('reloaded')
    await writeFile(join(data, 'tls', 'key.pem'), 'damaged')
    child.kill('SIGHUP')
    assert.match((await lineOf('not reloaded')).reason, /^CAMPUS_DATA must name .* The former certificate stays\.$/)
    child.kill('SIGTERM')
    assert.equal((await outcome).code, 0)
    assert.equal((await lineOf('stopping')).signal, 'SIGTERM')
    assert.deepEqual(
      lines().flatMap(({ msg, path }) => (path || /listening/.test(msg) ? [] : [msg])),
      ['migrated', 'serving', 'reloading', 'reloaded', 'reloading', 'not reloaded', 'stopping', 'stopped'],
    )
  } finally {
    child.kill('SIGKILL')
    await outcome
    await folder.remove()
  }
})
