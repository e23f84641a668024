import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { campus, type World } from '../support/campus.ts'
import { NO_CURL } from '../support/curl.ts'
import { temporaryFolder } from '../support/folder.ts'
import { errorsOf } from '../support/json-api.ts'
import { asShown } from './as-shown.ts'

const GUIDE = new URL('../../docs/json-api.md', import.meta.url)

let world: World
let folder: Awaited<ReturnType<typeof temporaryFolder>>

before(async () => {
  world = await campus({ seeded: true })
  folder = await temporaryFolder()
  await writeFile(join(folder.path, 'cert.pem'), world.ca)
})
after(async () => {
  await world.close()
  await folder.remove()
})

test('whoever pastes the commands of the guide sees what it shows', { skip: NO_CURL }, async () => {
  const blocks = [...(await readFile(GUIDE, 'utf8')).matchAll(/```(sh|json)\n(.*?)```/gs)].map(
    ([, kind, text = '']) => ({
      kind,
      text,
    }),
  )
  const [helper, ...rest] = blocks
  const steps = rest.flatMap(({ kind, text }, at) =>
    kind === 'sh' ? [{ commands: text, shown: JSON.parse(rest[at + 1]?.text ?? '') }] : [],
  )
  assert.equal(steps.length, 4)
  for (const { commands, shown } of steps) {
    const { stdout } = await promisify(execFile)('bash', ['-euc', `${helper?.text}\n${commands}`], {
      env: {
        PATH: process.env.PATH,
        CAMPUS: world.url,
        CERT: join(folder.path, 'cert.pem'),
        TOKEN: String(world.director.token),
      },
    })
    const answer = JSON.parse(stdout)
    assert.deepEqual(errorsOf(answer, { hasFields: true }), [])
    assert.deepEqual(asShown(answer, shown), shown, commands)
  }
})
