import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const oldest = /^>=(\d+)$/.exec(json('package.json').engines.node)?.[1]
const own = json('package.json').dependencies.node.split('.')[0]

/** Every number that the pattern finds in the file. */
const numbersIn = (path: string, pattern: RegExp) =>
  [...readFileSync(path, 'utf8').matchAll(pattern)].map(([, number]) => number)

describe('one version of Node is named everywhere:', () => {
  it('the oldest that people may have, by the packages and by every page', () => {
    assert.ok(oldest)
    assert.equal(json('client/package.json').engines.node, `>=${oldest}`)
    const { packages } = json('package-lock.json')
    for (const name of ['', 'client']) assert.equal(packages[name].engines.node, `>=${oldest}`, name)
    const pages = globSync(['*.md', 'client/*.md', 'docs/**/*.md'])
    const named = pages.flatMap((page) =>
      numbersIn(page, /Node(?:\.js)? (\d+)(?:\.\d+)* or (?:later|newer|above)/g).map((number) => ({ page, number })),
    )
    assert.ok(named.length >= 4, 'pages name it')
    assert.deepEqual(
      named.filter(({ number }) => number !== oldest),
      [],
    )
  })

  it('the one that the service runs on, which comes with the package, by the command, the build and the image', () => {
    assert.deepEqual(numbersIn('bin/newer-node.js', /^const OLDEST = (\d+)$/gm), [own])
    assert.deepEqual(numbersIn('build/build.ts', /target: 'node(\d+)'/g), [own])
    for (const number of numbersIn('Containerfile', /node:(\d+)\./g)) assert.equal(number, own)
    const pages = ['CONTRIBUTING.md', 'docs/installing.md', 'docs/architecture.md']
    for (const page of pages) for (const number of numbersIn(page, /Node (\d+)/g)) assert.equal(number, own, page)
  })
})
