import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { PROGRAMS } from '../programs/calls/programs.ts'

const text = readFileSync('docs/compatibility.md', 'utf8')
const { devDependencies, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const clientPackages = JSON.parse(readFileSync('clients/typescript/package.json', 'utf8')).devDependencies

/** The rows of the table below a heading, cell by cell. */
function rowsBelow(heading: string): string[][] {
  const [, section = ''] = text.split(`\n## ${heading}\n`)
  const rows = [...(section.split('\n## ', 1)[0] ?? '').matchAll(/^\| (.*) \|$/gm)]
  return rows.slice(1).map(([, row = '']) => row.split(' | '))
}

const namesIn = (cell: string | undefined) => [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name as string)

describe('docs/compatibility.md', () => {
  const run = rowsBelow('Run as they come').flatMap(([packages]) => namesIn(packages))

  it('names what the tests run', () => {
    const files = globSync('test/programs/run/*.ts')
    const imported = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^import .* from '((?:@[^/]+\/)?[^./:'][^/:']*)/gm)].map(
        ([, name]) => name as string,
      ),
    )
    const beside = ['fastify', 'passport']
    assert.deepEqual(
      [...new Set(imported)].filter((name) => !run.includes(name) && !beside.includes(name)),
      [],
    )
    assert.ok(files.length > 0)
  })

  it('names nothing that no test runs', () => {
    // The generator of the client's types has a test of its own (test/generators/generators.test.ts).
    const tests = globSync('{test,{engine,intranet,packages/*}/test,clients/typescript/scripts}/**/*.ts').map((file) =>
      readFileSync(file, 'utf8'),
    )
    const isUsed = (name: string) => tests.some((test) => new RegExp(`['/]${name}['/]`).test(test))
    const installed = { ...devDependencies, ...dependencies, ...clientPackages }
    assert.deepEqual(
      run.filter((name) => !(name in installed && isUsed(name))),
      [],
    )
    assert.ok(run.length >= 12, String(run))
  })

  it('names every program whose calls are sent, and no other', () => {
    const named = rowsBelow('Call by call').map(([, programs = '']) => programs)
    const listed = named.join(', ')
    assert.deepEqual(
      PROGRAMS.map(({ name }) => name).filter((name) => !listed.includes(name)),
      [],
    )
    const repositories = listed.match(/[\w.-]+\/[\w.-]+/g) ?? []
    assert.deepEqual(
      repositories.filter((name) => !PROGRAMS.some((program) => program.name === name)),
      [],
    )
  })

  it('gives for every program the date of its last full run, or states that it was not run in full', () => {
    for (const heading of ['Run as they come', 'Signing in by OpenID Connect', 'Run in full by hand']) {
      for (const row of rowsBelow(heading))
        assert.match(row.at(-1) ?? '', /^(\d{4}-\d\d-\d\d: .*\d|[A-Z][a-z]+ \d{4}, .*)|not run in full/, row[0])
    }
  })

  it('gives the installed version of each package that was run in full', () => {
    for (const [names, , , seen = ''] of rowsBelow('Run as they come')) {
      const versions = namesIn(names).map((name) => ({ ...devDependencies, ...dependencies, ...clientPackages })[name])
      for (const [version] of seen.replace(/^[\d-]+:/, '').matchAll(/[\d.]+/g))
        assert.ok(versions.includes(version), seen)
    }
  })

  it('says how to point the ten libraries that are used most', () => {
    assert.equal(rowsBelow('How to point your program here').length, 10)
  })
})
