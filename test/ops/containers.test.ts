/** Checks the Containerfile and compose.yaml without a container engine. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { commandsUnder } from '../docs/typing.ts'
import { ALL_SETTINGS } from '../support/all-settings.ts'
import { temporaryFolder } from '../support/folder.ts'

type Instruction = { readonly name: string; readonly words: string }

/** The instructions of each stage, with lines that go on in the next put together. */
async function stages(): Promise<Instruction[][]> {
  const text = (await readFile('Containerfile', 'utf8')).replace(/^#.*\n/gm, '').replace(/\\\n/g, ' ')
  const instructions = text
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ name: line.split(' ', 1)[0] as string, words: line.slice(line.indexOf(' ') + 1) }))
  const found: Instruction[][] = []
  for (const instruction of instructions) {
    if (instruction.name === 'FROM') found.push([])
    found.at(-1)?.push(instruction)
  }
  return found
}

describe('the Containerfile', async () => {
  const [build = [], last = []] = await stages()
  const all = (name: string) => last.filter((one) => one.name === name).map(({ words }) => words)

  it('begins with the Node that the package brings', async () => {
    const { dependencies, devDependencies: _ } = JSON.parse(await readFile('package.json', 'utf8'))
    for (const stage of [build, last])
      assert.ok(stage[0]?.words.startsWith(`docker.io/library/node:${dependencies.node}-`))
  })

  it('runs as nobody in particular, by its number, and is stopped and asked as the service is', () => {
    assert.match(all('USER').at(-1) ?? '', /^[1-9]\d+:[1-9]\d+$/)
    const after = last.slice(last.findIndex(({ name }) => name === 'USER'))
    assert.ok(!after.some(({ name }) => name === 'RUN' || name === 'COPY' || name === 'ADD'))
    assert.deepEqual(JSON.parse(all('ENTRYPOINT')[0] ?? ''), ['campus'])
    assert.match(all('HEALTHCHECK')[0] ?? '', / CMD \["campus", "health"\]$/)
    assert.deepEqual(all('STOPSIGNAL'), ['SIGTERM'])
  })

  it('takes from the build what the package has, and keeps no secret', async () => {
    const { files } = JSON.parse(await readFile('package.json', 'utf8'))
    const copied = all('COPY').flatMap((words) => words.match(/\/build\/[\w.]+/g) ?? [])
    for (const file of [...files, 'package.json', 'LICENSE', 'node_modules'])
      assert.ok(copied.includes(`/build/${file}`), file)
    for (const { words } of [...build, ...last].filter(({ name }) => name === 'ARG' || name === 'ENV')) {
      assert.doesNotMatch(words, /SECRET_KEY|SEALING|TOKEN|PASSWORD|DATABASE_URL/)
    }
    assert.ok(build.some(({ words }) => words.includes('npm run -s generate -- examples')))
    const ignored = (await readFile('.containerignore', 'utf8')).split('\n')
    for (const name of ['.git', 'data', 'secrets', '.env*', '**/node_modules']) assert.ok(ignored.includes(name), name)
    assert.equal(await readFile('.dockerignore', 'utf8'), await readFile('.containerignore', 'utf8'))
  })
})

describe('compose.yaml', async () => {
  const { services, secrets, volumes } = parse(await readFile('compose.yaml', 'utf8'))
  const { campus, ...others } = services

  it('gives the service a root that nobody writes to, and no rights', () => {
    const { read_only, cap_drop, security_opt, init } = campus
    assert.deepEqual({ read_only, cap_drop, init }, { read_only: true, cap_drop: ['ALL'], init: true })
    assert.deepEqual(security_opt, ['no-new-privileges:true'])
    assert.equal(existsSync(campus.build.dockerfile), true)
  })

  it('has the health check of the Containerfile', async () => {
    const text = await readFile('Containerfile', 'utf8')
    const { test, interval, timeout, start_period, retries } = campus.healthcheck
    const line = `HEALTHCHECK --interval=${interval} --timeout=${timeout} --start-period=${start_period} --retries=${retries} CMD`
    assert.ok(text.includes(`${line} ["${test.slice(1).join('", "')}"]\n`), line)
  })

  it('names services, secrets, volumes and settings that there are', () => {
    for (const name of Object.keys(campus.environment)) assert.ok(name in ALL_SETTINGS, name)
    assert.deepEqual(Object.keys(campus.depends_on).sort(), Object.keys(others).sort())
    for (const service of Object.values<Record<string, string[]>>(services)) {
      for (const secret of service.secrets ?? []) assert.ok(secret in secrets, secret)
      for (const volume of service.volumes ?? []) assert.ok((volume.split(':')[0] ?? '') in volumes, volume)
    }
    for (const secret of campus.secrets) assert.ok(secret in ALL_SETTINGS, secret)
  })

  it('publishes the port that is set', () => assert.deepEqual(campus.ports, [`\${PUBLISHED_PORT:-8443}:8443`]))

  it('finds the secrets where docs/installing.md has them made', async (context) => {
    const { path, remove } = await temporaryFolder()
    context.after(remove)
    const lines = await commandsUnder('installing.md', 'Containers')
    const made = lines.filter((line) => !line.startsWith('docker '))
    assert.equal(made.length, lines.length - 4)
    await promisify(execFile)('sh', ['-euc', made.join('\n')], { cwd: path })
    const files = Object.values<{ file: string }>(secrets).map(({ file }) => file)
    const [password = '', url] = await Promise.all(
      ['POSTGRES_PASSWORD', 'DATABASE_URL'].map((name) => readFile(join(path, 'secrets', name), 'utf8')),
    )
    assert.deepEqual(
      files.map((file) => existsSync(join(path, file))),
      files.map(() => true),
    )
    assert.match(password, /^[0-9a-f]{48}$/)
    assert.equal(url, `postgres://campus:${password}@database:5432/campus`)
  })

  it('waits for what it needs, each by a check of its own, and publishes nothing of it', () => {
    for (const [name, { condition }] of Object.entries<{ condition: string }>(campus.depends_on)) {
      assert.equal(condition, 'service_healthy')
      assert.ok(services[name].healthcheck.test, name)
      assert.equal(services[name].ports, undefined)
    }
  })
})
