import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { serviceVersion } from '../../src/base/service-version.ts'

const SERVICE_VERSION = serviceVersion()
const changelog = readFileSync('CHANGELOG.md', 'utf8')
const [, latest = ''] = changelog.split(/^## /m)
const rows = [...readFileSync('docs/releases.md', 'utf8').matchAll(/^\| (\S+) \| `(\w+)` \| (\S+) \|$/gm)]

/** What fits two screens. */
const MAX_LINES = 80

describe('Releases', () => {
  it('begin with the version of the package, in the changelog and in the packages of clients', () => {
    assert.match(latest, new RegExp(`^${SERVICE_VERSION.replaceAll('.', '\\.')}, `))
    for (const [path, version] of [
      ['client/package.json', /"version": "(.+)"/],
      ['clients/python/pyproject.toml', /^version = "(.+)"/m],
    ] as const)
      assert.equal(version.exec(readFileSync(path, 'utf8'))?.[1], SERVICE_VERSION, path)
  })

  it('are described on two screens', () => {
    assert.ok(latest.split('\n').length <= MAX_LINES, `${latest.split('\n').length} lines`)
  })

  it('name the commit of each, with the day that the changelog says', {
    skip: !existsSync('.git') && 'SKIPPED: no history',
  }, () => {
    for (const [, version = '', commit = '', day = ''] of rows) {
      execFileSync('git', ['merge-base', '--is-ancestor', commit, 'HEAD'])
      assert.ok(changelog.includes(`\n## ${version}, ${day}\n`), version)
    }
    const dated = [...changelog.matchAll(/^## (\S+), \d{4}-/gm)].map(([, version]) => version)
    assert.deepEqual(rows.map(([, version]) => version).sort(), dated.sort())
  })
})
