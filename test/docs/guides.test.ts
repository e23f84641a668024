import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createApplication } from '../support/application.ts'
import { campus } from '../support/campus.ts'
import { NO_CURL } from '../support/curl.ts'
import { seededDatabase, type TestDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { flowOf, pkce } from '../support/oauth-flow.ts'
import { outcomeOf, startCampus } from '../support/run-campus.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ADDRESS = 'https://localhost:8443'

type Environment = Readonly<Record<string, string>>

/** The commands of a guide, with the address that the reference would show. */
async function commandsOf(guide: string, address = ADDRESS): Promise<string[]> {
  const text = await readFile(join(ROOT, 'docs/guides', guide), 'utf8')
  return [...text.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(([, commands = '']) =>
    commands.replaceAll(ADDRESS, address),
  )
}

async function paste(commands: string, env: Environment, cwd = ROOT): Promise<string> {
  const { PATH = '', HOME = '' } = process.env
  const { stdout } = await promisify(execFile)('bash', ['-euc', commands], { cwd, env: { PATH, HOME, ...env } })
  return stdout
}

/** The credentials of a registered application. */
const registered = (database: TestDatabase) =>
  database.transaction((tx) => createApplication(tx, { name: 'Cluster map', confidential: true }))

test('whoever pastes the commands for a token and for paging has a token, and everybody', {
  skip: NO_CURL,
}, async () => {
  const folder = await temporaryFolder()
  const database = await seededDatabase({ users: 600, locations: 100, now: new Date('2026-03-04T11:17:23.456Z') })
  const env = {
    CAMPUS_DATA: folder.path,
    CAMPUS_PORT: String(await freePort()),
    CAMPUS_LOG_LEVEL: 'silent',
    DATABASE_URL: database.url,
    CAMPUS_PROCESSES: '1',
  }
  const server = startCampus(['serve'], env)
  const ended = outcomeOf(server)
  try {
    await new Promise<void>((resolve, reject) => {
      server.stdout?.on('data', (text) => String(text).includes('Ctrl-C stops it.') && resolve())
      server.once('close', reject)
    })
    const address = `https://localhost:${env.CAMPUS_PORT}`
    const [getToken = ''] = await commandsOf('1-getting-a-token.md', address)
    const { uid, secret } = await registered(database)
    const credentials = { ...env, ID: uid, SECRET: secret, CURL_CA_BUNDLE: join(folder.path, 'tls/cert.pem') }
    assert.equal(JSON.parse(await paste(getToken, credentials)).length, 3)

    const [look = ''] = await commandsOf('../monitoring.md', address)
    assert.match(await paste(look.replace('data/tls', join(folder.path, 'tls')), env), /^campus_http_requests_total\{/m)

    // Without its last command, which lists users.
    const before = getToken.replace(/^ *curl .*\n/m, '')
    const [follow = ''] = await commandsOf('3-paging-a-collection.md', address)
    const pages = await paste(`${before}\n${follow}`, credentials, folder.path)
    const ids = [...pages.matchAll(/[[,]\{"id":(\d+),"email"/g)].map(([, id]) => Number(id))
    assert.ok(ids.length > 200, `${ids.length} users are too few to page`)
    const headers = await readFile(join(folder.path, 'headers'), 'utf8')
    assert.equal(ids.length, Number(/^x-total: (\d+)/im.exec(headers)?.[1]))
    assert.deepEqual(
      ids,
      [...new Set(ids)].toSorted((one, other) => one - other),
    )
  } finally {
    server.kill('SIGTERM')
    await ended
    await database.close()
    await folder.remove()
  }
})

test('whoever pastes the commands of the web flow has the token of a person, and renews it', {
  skip: NO_CURL,
}, async () => {
  const world = await campus()
  const folder = await temporaryFolder()
  try {
    await writeFile(join(folder.path, 'cert.pem'), world.ca)
    const flow = flowOf(world)
    const redirect_uri = 'https://my.example/callback'
    const [person, application] = [await flow.person(), await flow.application({ redirect_uris: [redirect_uri] })]
    const { verifier, parameters } = pkce()
    const env = {
      API: world.url,
      CURL_CA_BUNDLE: join(folder.path, 'cert.pem'),
      ID: application.uid,
      SECRET: String(application.secret),
      VERIFIER: verifier,
      CODE: await flow.code(person, application, { redirect_uri, ...parameters }),
    }
    const [exchange = '', renew = ''] = await commandsOf('2-the-web-flow.md')
    const first = JSON.parse(await paste(exchange, env))
    const second = JSON.parse(await paste(renew, { ...env, REFRESH_TOKEN: first.refresh_token }))
    assert.notEqual(second.refresh_token, first.refresh_token)
    const headers = { authorization: `Bearer ${second.access_token}` }
    assert.equal((await world.anonymous.get('/v2/me', headers)).json.login, person.login)
  } finally {
    await world.close()
    await folder.remove()
  }
})
