import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../support/folder.ts'

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const oldest = /^>=(\d+)$/.exec(json('package.json').engines.node)?.[1]
const own = json('package.json').dependencies.node.split('.')[0]

/** Every number that the pattern finds in the file. */
const numbersIn = (path: string, pattern: RegExp) =>
  [...readFileSync(path, 'utf8').matchAll(pattern)].map(([, number]) => number)

describe('npm ci', () => {
  it('warns of nothing on the Node that the machine has, which is not the one that the service runs on', async (t) => {
    const folder = await temporaryFolder()
    t.after(folder.remove)
    mkdirSync(join(folder.path, 'clients/typescript'), { recursive: true })
    for (const name of ['package.json', 'package-lock.json', '.npmrc', 'clients/typescript/package.json'])
      copyFileSync(name, join(folder.path, name))
    const { status, stdout, stderr } = spawnSync(
      'npm',
      ['ci', '--dry-run', '--ignore-scripts', '--offline', '--no-update-notifier'],
      {
        cwd: folder.path,
        encoding: 'utf8',
        env: { PATH: withoutPackages(process.env.PATH), HOME: folder.path },
      },
    )
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
    assert.match(stdout, /^added \d+ packages in /m)
  })

  it('is told of each package with an install script whether that may run', () => {
    const { packages } = json('package-lock.json') as { packages: Record<string, { hasInstallScript?: boolean }> }
    const scripted = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript)
    const named = Object.keys(json('package.json').allowScripts)
    assert.deepEqual(scripted.map((path) => path.replace(/^.*node_modules\//, '')).sort(), named.sort())
  })
})

/** npm puts the Node of the packages before that of the machine. */
const withoutPackages = (path = '') =>
  path
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter)

describe('one version of Node is named everywhere:', () => {
  it('the oldest that people may have, by the packages and by every page', () => {
    assert.ok(oldest)
    assert.equal(json('clients/typescript/package.json').engines.node, `>=${oldest}`)
    const { packages } = json('package-lock.json')
    for (const name of ['', 'clients/typescript']) assert.equal(packages[name].engines.node, `>=${oldest}`, name)
    const pages = globSync(['*.md', 'clients/typescript/*.md', 'docs/**/*.md'])
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
