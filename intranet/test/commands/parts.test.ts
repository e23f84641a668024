import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { PARTS } from '@campus/service/parts'
import { createApplication } from '@campus/test/support/application'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { temporaryFolder } from '@campus/test/support/folder'
import type { Command } from 'commander'
import { Agent, request } from 'undici'
import { campusProgram } from '../../cli/program/program.ts'
import { settingNamesOfParts } from '../../cli/settings-of-parts.ts'
import { misspelt } from '../../settings/misspelt.ts'
import { observeCampus } from './observe-campus.ts'

type Traces = {
  /** Commands and options that only the part adds. */
  readonly commands?: readonly string[]
  /** Paths that only the part adds. */
  readonly paths?: readonly string[]
}

/** Returns the name of every command, and of every option as `command --option`. */
const wordsOf = ({ commands }: Command): readonly string[] =>
  commands.flatMap((one) => [one.name(), ...one.options.map(({ long }) => `${one.name()} ${long}`)])

/** Commands and paths that show that a part is present. */
const TRACES: Readonly<Record<string, Traces>> = {
  archive: { commands: ['backup', 'restore'] },
  assistants: { commands: ['mcp'], paths: ['/mcp'] },
  demo: { commands: ['seed', 'serve --like-the-network'] },
  languages: { paths: ['/language/fr'] },
  mirror: { commands: ['mirror'] },
  receiver: { commands: ['receiver'] },
  reference: {
    paths: [
      '/apidoc',
      '/apidoc/users',
      '/apidoc/openapi.json',
      '/apidoc/console',
      '/apidoc/assets/small.js',
      '/llms.txt',
    ],
  },
}

describe('an optional part', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let database: TestDatabase
  let agent: Agent
  before(async () => {
    folder = await temporaryFolder()
    database = await testDatabase()
    agent = new Agent({ connect: { rejectUnauthorized: false } })
    await database.transaction((tx) => createApplication(tx, { name: 'Cluster map' }))
  })
  after(async () => {
    await agent.close()
    await database?.close()
    await folder.remove()
  })

  const observe = (words: readonly string[], without: string, whileServing?: (address: string) => Promise<void>) =>
    observeCampus({
      ...{ words, folder: folder.path },
      env: { DATABASE_URL: database.url, WITHOUT_PART: without },
      ...(whileServing && { whileServing }),
    })

  async function ask(address: string, path: string, method: 'GET' | 'POST' = 'GET', language = 'en') {
    const headers = { accept: 'text/html', 'accept-language': language, 'content-type': 'application/json' }
    const body = method === 'POST' ? '{}' : undefined
    const response = await request(address + path, { dispatcher: agent, method, headers, ...(body && { body }) })
    return { status: response.statusCode, headers: response.headers, text: await response.body.text() }
  }

  it('has a folder and a line of its own, and traces by which it is known', () => {
    const folders = readdirSync(new URL('../../../packages/', import.meta.url)).sort()
    assert.deepEqual(PARTS.map(({ name }) => name).sort(), folders)
    assert.deepEqual(Object.keys(TRACES).sort(), folders)
  })

  it('has its commands', async () => {
    const words = wordsOf(await campusProgram({ env: {}, parts: PARTS }))
    const own = Object.values(TRACES).flatMap(({ commands }) => commands ?? [])
    assert.deepEqual(
      own.filter((line) => !words.includes(line)),
      [],
    )
  })

  it('answers at its paths', async () => {
    const { outcome } = await observe(['serve'], '', async (address) => {
      for (const path of Object.values(TRACES).flatMap(({ paths }) => paths ?? [])) {
        const { status } = await ask(address, path, path === '/mcp' ? 'POST' : 'GET')
        assert.notEqual(status, 404, path)
      }
    })
    assert.deepEqual({ code: outcome.code, stderr: outcome.stderr }, { code: 0, stderr: '' })
  })

  for (const [name, { commands = [], paths = [] }] of Object.entries(TRACES)) {
    it(`${name} can be removed by its line: nothing of it is loaded, and the service serves`, async () => {
      const { outcome, observed } = await observe(['serve'], name, async (address) => {
        assert.equal((await ask(address, '/v2')).status, 200)
        assert.equal((await ask(address, '/health')).status, 200)
        for (const path of ['/', '/sign-in', '/nowhere']) {
          const { status, text } = await ask(address, path)
          assert.equal(status, path === '/nowhere' ? 404 : 200, path)
          const links = [...text.matchAll(/href="([^"?#]*)/g)].map(([, link]) => link)
          assert.ok(links.length > 3, 'links are seen')
          assert.deepEqual(
            links.filter((link) => paths.includes(String(link))),
            [],
            path,
          )
        }
        for (const path of paths) {
          const { status } = await ask(address, path, path === '/mcp' ? 'POST' : 'GET')
          assert.equal(status, 404, path)
        }
      })
      assert.deepEqual({ code: outcome.code, stderr: outcome.stderr }, { code: 0, stderr: '' })
      assert.deepEqual(
        observed.parts.filter((file) => file.startsWith(`${name}/`)),
        [],
      )
      const parts = PARTS.filter((part) => part.name !== name)
      const words = wordsOf(await campusProgram({ env: {}, parts }))
      assert.deepEqual(
        commands.filter((line) => words.includes(line)),
        [],
      )
    })
  }

  it('reference is linked to by errors, OAuth and /v2 only while it has its line', async () => {
    const linked = async (without: string) => {
      const texts: Record<string, string> = {}
      const { outcome } = await observe(['serve'], without, async (address) => {
        const get = (path: string) => ask(address, path)
        texts['/v2'] = (await get('/v2')).text
        texts['/v2/users'] = String((await get('/v2/users')).headers.link)
        texts['/oauth/token'] = String((await ask(address, '/oauth/token', 'POST')).headers.link)
        for (const name of ['openid-configuration', 'oauth-protected-resource', 'oauth-protected-resource/mcp'])
          texts[name] = (await get(`/.well-known/${name}`)).text
      })
      assert.equal(outcome.code, 0)
      return texts
    }
    const withReference = await linked('')
    for (const [path, text] of Object.entries(withReference)) assert.match(text, /\/apidoc/, path)
    const withoutReference = await linked('reference')
    for (const [path, text] of Object.entries(withoutReference)) assert.doesNotMatch(text, /apidoc/, path)
    const { documentation, openapi } = JSON.parse(String(withoutReference['/v2']))
    assert.equal(documentation, openapi)
  })

  it('has settings, which are named as unknown without it', async () => {
    for (const { name, settings } of PARTS) {
      if (!settings) continue
      const given = Object.fromEntries(Object.keys(settings.declared).map((setting) => [setting, '']))
      const { outcome } = await observeCampus({
        ...{ words: ['app', 'list'], folder: folder.path },
        env: { DATABASE_URL: database.url, WITHOUT_PART: name, ...given },
      })
      assert.equal(outcome.code, 0)
      for (const setting of Object.keys(given)) assert.ok(outcome.stderr.includes(`${setting} is no setting`), setting)
      assert.deepEqual(misspelt(given, settingNamesOfParts(PARTS)), [])
    }
  })

  it('languages loads a dictionary when somebody first asks for a page in the language', async () => {
    const dictionaries = async (language: string) => {
      const { observed } = await observe(['serve'], '', async (address) => {
        const { text } = await ask(address, '/sign-in', 'GET', language)
        assert.match(text, new RegExp(`<html lang="${language}">.*<a href="/language/\\w+" lang="`, 's'))
      })
      return observed.parts.filter((file) => file.startsWith('languages/') && file !== 'languages/part.ts')
    }
    assert.deepEqual(await dictionaries('en'), [])
    assert.deepEqual(await dictionaries('fr'), ['languages/fr.ts', 'languages/fr.json'])
  })

  it('languages is all that offers another language than English', async () => {
    const { outcome } = await observe(['serve'], 'languages', async (address) => {
      for (const path of ['/sign-in', '/nowhere', '/apidoc']) {
        const { text } = await ask(address, path, 'GET', 'fr')
        assert.match(text, /<html lang="en">/, path)
        assert.doesNotMatch(text, /class="languages"|Français/, path)
      }
    })
    assert.equal(outcome.code, 0)
    const refused = await observeCampus({
      ...{ words: ['serve'], folder: folder.path },
      env: { DATABASE_URL: database.url, WITHOUT_PART: 'languages', CAMPUS_LANGUAGES: 'en,fr' },
    })
    assert.deepEqual(refused.outcome, {
      code: 1,
      signal: null,
      stdout: '',
      stderr: 'CAMPUS_LANGUAGES must list languages of en, the usual one first; "fr" is none.\n',
    })
  })

  it('leaves a new database empty without the demo part', async () => {
    const fresh = await testDatabase()
    const options = { words: ['serve'], folder: folder.path }
    const { outcome } = await observeCampus({ ...options, env: { DATABASE_URL: fresh.url, WITHOUT_PART: 'demo' } })
    assert.match(outcome.stdout, /The school is empty/)
    assert.deepEqual(await fresh.rows('select count(*) from users'), [['0']])
    await fresh.close()
  })
})
