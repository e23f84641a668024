import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { atOnce } from '@campus/engine/base/slices'
import { Registry } from '@campus/engine/rest/declare/registry'
import { routeTable } from '@campus/engine/rest/route-table'
import type { Example } from '@campus/reference/examples'
import { highlighted } from '@campus/reference/highlight'
import type { Operation } from '@campus/reference/model'
import { readReference } from '@campus/reference/read-reference'
import { literal, PYTHON, RUBY, TYPESCRIPT } from '@campus/reference/samples/literal'
import type { SampleRequest } from '@campus/reference/samples/request'
import { SAMPLES } from '@campus/reference/samples/samples'
import { typescriptOf } from '@campus/reference/samples/typescript'
import { exampleOfOperation } from '@campus/reference/schema-examples'
import { campus, type World } from '@campus/test/support/campus'
import { canRun } from '@campus/test/support/can-run'
import { NO_CURL } from '@campus/test/support/curl'
import { temporaryFolder } from '@campus/test/support/folder'
import { recordedExamples } from '@campus/test/support/recorded-examples'
import { COMMON_ACCESS } from '../../school/resources/access.ts'
import { resources } from '../../school/resources/index.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const run = promisify(execFile)

/** Texts that a language may take for syntax. */
const DIFFICULT = [
  '#{1}',
  '#$x',
  "it's",
  'a "b"',
  '\\',
  '\n\t',
  '\u0024{x}',
  '%s',
  '💥',
  'é',
  '{x}',
  '\u0000',
  '</code>',
]

/** Requests that the service accepts and the client's types refuse: an omitted body, and parts without `_destroy`. */
const UNTYPED: ReadonlySet<string> = new Set([
  ...['createProjectSession', 'createSquad', 'createTeam'],
  ...['retryProject', 'retryProjectsUser', 'searchProjects', 'searchUsers'],
])

const hasPython = canRun('python3', '-c', 'import requests')
const hasRuby = canRun('ruby', '-e', 'require "json"')

describe('the samples of the reference', () => {
  let world: World
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let requests: SampleRequest[]
  before(async () => {
    world = await campus()
    folder = await temporaryFolder()
    await writeFile(join(folder.path, 'cert.pem'), world.ca)
    const { document } = world
    const registry = new Registry(resources(new Sealer(Buffer.alloc(32, 7))), COMMON_ACCESS)
    const { resolve, resources: all } = atOnce(readReference({ document, registry, table: routeTable(registry) }))
    const operations = new Map<string, Operation>(
      all.flatMap(({ actions }) => actions.flatMap((action) => action.operations.map((one) => [one.id, one] as const))),
    )
    const taken = ({ status }: Example) => status < 300
    const { examples: recorded } = await recordedExamples()
    requests = Object.entries(recorded).flatMap(([id, examples]) => {
      const operation = operations.get(id)
      return operation ? examples.filter(taken).map((example) => ({ ...example, operation, resolve })) : []
    })
    assert.ok(requests.length > 300)
    for (const operation of operations.values())
      requests.push({ ...exampleOfOperation(resolve, operation), operation, resolve })
  })
  after(async () => {
    await world.close()
    await folder.remove()
  })

  it('in TypeScript are programs that the client takes', { timeout: 1_200_000 }, async () => {
    const preamble = /^import[\s\S]*?SECRET \}\)\n/
    const samples = requests.map(typescriptOf)
    const first = samples.find((one) => preamble.test(one)) ?? ''
    // One program, since each would load the client's types again.
    const blocks = samples.map(
      (one, at) => `// ${requests[at]?.operation.id}\nasync function sample${at}() {\n${one.replace(preamble, '')}\n}`,
    )
    const program = join(folder.path, 'samples.ts')
    const text = `${preamble.exec(first)?.[0]}\n${blocks.join('\n')}\nexport {}\n`
    await writeFile(program, text)
    await symlink(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'))
    const options = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      module: 'nodenext',
      target: 'es2024',
      types: ['node'],
    }
    const paths = { 'campus-intranet-client': [join(ROOT, 'clients/typescript/src/index.ts')] }
    const compilerOptions = { ...options, paths, allowImportingTsExtensions: true }
    await writeFile(join(folder.path, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [program] }))
    const compiled = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder.path], { maxBuffer: 1e8 }).catch(
      ({ stdout }: { stdout: string }) => ({ stdout }),
    )
    const lines = text.split('\n')
    const faults = [...compiled.stdout.matchAll(/^\S+\((\d+),.*$/gm)].map(([fault, line]) => ({
      id:
        lines
          .slice(0, Number(line))
          .findLast((one) => one.startsWith('// '))
          ?.slice(3) ?? '',
      fault,
    }))
    assert.deepEqual(
      faults.filter(({ id }) => !UNTYPED.has(id)),
      [],
    )
  })

  /** A request that writes, sent by a sample as it stands. */
  async function sent(program: readonly string[], write: (request: SampleRequest) => string, certificate: string) {
    const request = requests.find(({ operation }) => operation.id === 'createGroup') ?? assert.fail('no example')
    const name = `${program[0]} ${DIFFICULT.filter((text) => !/\p{Cc}/u.test(text)).join(' ')}`
    const text = write({ ...request, body: { group: { name } } })
    const [command = '', ...parts] = program
    const env = { PATH: process.env.PATH, LANG: 'C.UTF-8', API: world.url, TOKEN: String(world.director.token) }
    const { stdout } = await run(command, [...parts, text], {
      env: { ...env, [certificate]: join(folder.path, 'cert.pem') },
    })
    assert.equal(JSON.parse(stdout).name, name)
    const list = requests.find(({ operation }) => operation.id === 'listGroups') ?? assert.fail('no example')
    const asked = write({ ...list, path: '/v2/groups?filter[id]=1,2&sort=-id' })
    const answered = await run(command, [...parts, asked], {
      env: { ...env, [certificate]: join(folder.path, 'cert.pem') },
    })
    assert.ok(Array.isArray(JSON.parse(answered.stdout)))
  }

  const sampleIn = (name: string) => SAMPLES.find((one) => one.name === name)?.write ?? assert.fail(name)

  it('in curl are commands that the service answers', { skip: NO_CURL }, async () => {
    await sent(['bash', '-euc'], (request) => sampleIn('curl')(request).replace('curl ', 'curl -sS '), 'CURL_CA_BUNDLE')
  })

  it('in Python are programs that the service answers', {
    skip: hasPython ? false : 'SKIPPED: no Python with requests',
  }, async () => {
    await sent(['python3', '-c'], sampleIn('python'), 'REQUESTS_CA_BUNDLE')
  })

  it('in Python are programs, every one', {
    skip: hasPython ? false : 'SKIPPED: no Python with requests',
  }, async () => {
    const file = join(folder.path, 'samples.json')
    await writeFile(file, JSON.stringify(requests.map(sampleIn('python'))))
    const compile = 'import json, sys\nfor text in json.load(open(sys.argv[1])): compile(text, text, "exec")'
    await run('python3', ['-c', compile, file])
  })

  it('in Ruby are programs that the service answers', { skip: hasRuby ? false : 'SKIPPED: no Ruby' }, async () => {
    await sent(['ruby', '-e'], sampleIn('ruby'), 'SSL_CERT_FILE')
  })

  it('write any value of JSON as what it is', {
    skip: hasPython ? false : 'SKIPPED: no Python with requests',
  }, async () => {
    const value = {
      list: [1, -2.5, true, false, null, [], {}],
      ...Object.fromEntries(DIFFICULT.map((text) => [text, text])),
    }
    assert.deepEqual(new Function(`return ${literal(TYPESCRIPT, value)}`)(), value)
    const print = `import json; print(json.dumps(${literal(PYTHON, value)}))`
    assert.deepEqual(JSON.parse((await run('python3', ['-c', print.replaceAll('\\u0000', '\\u0000')])).stdout), value)
    assert.equal(literal(RUBY, { a: '#{1}', 'b c': null }), '{ a: "\\#{1}", "b c" => nil }')
  })

  it('are shown in colour as they are, and no text becomes markup', () => {
    for (const { language, write } of SAMPLES) {
      for (const request of requests.slice(0, 40)) {
        const text = write({ ...request, body: { '<b>&': DIFFICULT } })
        const shown = String(highlighted(text, language))
        assert.doesNotMatch(shown.replace(/<span class="[a-z]">|<\/span>/g, ''), /[<>]/)
        assert.equal(unescaped(shown.replace(/<[^>]+>/g, '')), text)
      }
    }
    assert.equal(String(highlighted('<script>', 'nothing')), '&#60;script&#62;')
  })
})

const unescaped = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
