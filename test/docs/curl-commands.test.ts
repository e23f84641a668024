import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { createApplication } from '../support/application.ts'
import { campus, type World } from '../support/campus.ts'
import { NO_CURL } from '../support/curl.ts'
import { temporaryFolder } from '../support/folder.ts'

const run = promisify(execFile)
const DOCUMENTS = globSync(
  ['README.md', 'CONTRIBUTING.md', 'docs/**/*.md', 'examples/**/*.md', 'client*/**/README.md'],
  {
    exclude: (name) => name.includes('node_modules'),
  },
)

describe('a command in a document', () => {
  for (const file of DOCUMENTS) {
    const commands = [...readFileSync(file, 'utf8').matchAll(/^ *```sh\n(.*?)^ *```/gms)].map(([, block = '']) => block)
    it(`needs no curl option for brackets: ${file}`, () => {
      for (const command of commands) {
        assert.doesNotMatch(command, /\bcurl\b[^|\n]* (?:-[a-zA-Z]*g[a-zA-Z]*|--globoff) /)
        for (const [address] of command.matchAll(/[^\s"']*\?[^\s"']*=[^\s"']*/g))
          assert.doesNotMatch(address, /[[\]{}]/)
      }
    })
  }
})

describe('the README', () => {
  const text = readFileSync('README.md', 'utf8')
  let world: World
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  before(async () => {
    world = await campus({ seeded: true })
    folder = await temporaryFolder()
    writeFileSync(join(folder.path, 'cert.pem'), world.ca)
  })
  after(async () => {
    await world?.close()
    await folder?.remove()
  })

  it('has a first request and addresses that work when they are pasted', { skip: NO_CURL }, async () => {
    const { uid, secret } = await world.database.transaction((tx) =>
      createApplication(tx, { name: 'Reader of the README', confidential: true }),
    )
    const [, first = ''] = /## A first request\n.*?```sh\n(.*?)```/s.exec(text) ?? []
    const [, more = ''] = /\nMore to try: (.*?)\n\n/s.exec(text) ?? []
    const paths = [...more.matchAll(/`(\/v2[^`]*)`/g)].map(([, path = '']) => path)
    assert.ok(paths.length >= 4, more)
    const [[login]] = (await world.database.rows('select login from users order by id limit 1')) as [[string]]
    const tries = paths.map(
      (path) =>
        `curl -s -o /dev/null -w '%{http_code} ${path.replaceAll('%', '%%')}\\n' --cacert data/tls/cert.pem -H "Authorization: Bearer $TOKEN" 'https://localhost:8443${path}'`,
    )
    // An application may send two requests a second.
    const typed = [first, 'echo', ...tries.flatMap((command) => ['sleep 1', command])]
      .join('\n')
      .replaceAll('data/tls/cert.pem', join(folder.path, 'cert.pem'))
      .replaceAll('https://localhost:8443', world.url)
      .replaceAll('<id>', uid)
      .replaceAll('<secret>', secret)
      .replaceAll('<login>', login)
    const { stdout } = await run('sh', ['-c', typed])
    const [answer = '', ...statuses] = stdout.trim().split(/\n(?=\d{3} \/v2)/)
    assert.equal(JSON.parse(answer).length, 3)
    assert.deepEqual(
      statuses,
      paths.map((path) => `200 ${path.replace('<login>', login)}`),
    )
  })
})
