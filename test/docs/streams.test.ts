import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { campus } from '../support/campus.ts'
import { NO_CURL } from '../support/curl.ts'
import { temporaryFolder } from '../support/folder.ts'

/** Its one command, and the events that it shows. */
const GUIDE = new URL('../../docs/streams.md', import.meta.url)

test('the command of streams.md sees what the page shows', { skip: NO_CURL }, async () => {
  const world = await campus({ seeded: true })
  const folder = await temporaryFolder()
  try {
    const [, command = '', shown = ''] =
      /```sh\n(.*?)```\n\n```text\n(.*?)```/s.exec(await readFile(GUIDE, 'utf8')) ?? []
    const cert = join(folder.path, 'cert.pem')
    await writeFile(cert, world.ca)
    const typed = command.replace('data/tls/cert.pem', cert).replace('https://localhost:8443', world.url)
    const curl = spawn('bash', ['-c', `exec ${typed.replace('curl -N', 'curl -sN')}`], {
      env: { PATH: process.env.PATH, TOKEN: world.visitor.token },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [user_id] = (await world.database.rows('select id from users order by id limit 1')).flat()
    let text = ''
    let made: number | undefined
    for await (const chunk of curl.stdout) {
      text += chunk
      if (text.includes('event: destroy\n') && text.endsWith('\n\n')) break
      // One that ends within the moment in which it was made is not shown at all.
      if (made === undefined) {
        const { status, json } = await world.staff.post('/v2/locations', {
          location: { user_id, host: 'c1r2s3', campus_id: 1 },
        })
        assert.equal(status, 201)
        made = json.id
      } else if (text.includes('event: create\n')) await world.staff.delete(`/v2/locations/${made}`)
    }
    curl.kill()
    await once(curl, 'exit')
    const namesIn = (events: string) => [...events.matchAll(/^(retry|id|event|data): /gm)].map(([, name]) => name)
    assert.deepEqual(namesIn(shown).slice(0, 4), namesIn(text).slice(0, 4))
    for (const [, event] of shown.matchAll(/^event: (\w+)/gm)) assert.match(text, new RegExp(`^event: ${event}$`, 'm'))
  } finally {
    await world.close()
    await folder.remove()
  }
})
