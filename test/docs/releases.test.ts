import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { serviceVersion } from '@campus/engine/base/service'

const SERVICE_VERSION = serviceVersion()
const changelog = readFileSync('CHANGELOG.md', 'utf8')
const [, ...versions] = changelog.split(/^## /m)
const [latest = ''] = versions
const page = readFileSync('docs/releases.md', 'utf8')
const rows = [...page.matchAll(/^\| (\S+) \| `(\w+)` \| (\S+) \|$/gm)]

/** Releases whose release tests were not recorded. */
const BEFORE_RELEASE_TESTS = ['0.2.0', '0.3.0']
/** Headings of the lists of a version, in their order. A version leaves out the lists that it does not need. */
const HEADINGS = ['### Breaking', '### Added', '### Changed', '### Fixed']
/** Maximum length of an entry, with its bullet. */
const MAX_CHARACTERS = 160
/** Begins with a capital, code or bold text, and ends with a full stop. */
const ENTRY = /^\* (?:\p{Lu}|`|\*\*\S).*\.$/u

describe('Releases', () => {
  it('begin with the version of the package, in the changelog and in the packages of clients', () => {
    assert.match(latest, new RegExp(`^${SERVICE_VERSION.replaceAll('.', '\\.')}, `))
    for (const [path, version] of [
      ['clients/typescript/package.json', /"version": "(.+)"/],
      ['clients/python/pyproject.toml', /^version = "(.+)"/m],
    ] as const)
      assert.equal(version.exec(readFileSync(path, 'utf8'))?.[1], SERVICE_VERSION, path)
  })

  for (const version of versions) {
    const [name, ...lines] = version.split('\n').filter(Boolean)
    const isHeading = (line?: string) => !!line?.startsWith('#')

    it(`have only the lists Breaking, Added, Changed and Fixed in the changelog, in this order: ${name}`, () => {
      const headings = lines.filter(isHeading)
      assert.deepEqual(
        headings,
        HEADINGS.filter((heading) => headings.includes(heading)),
      )
      assert.ok(isHeading(lines[0]), 'entries without a heading')
      const followers = lines.flatMap((line, index) => (isHeading(line) ? lines[index + 1] : []))
      assert.ok(!followers.some((line) => !line || isHeading(line)), 'an empty list')
    })

    it(`have entries of one line of at most ${MAX_CHARACTERS} characters in the changelog: ${name}`, () => {
      assert.deepEqual(
        lines.filter((line) => !isHeading(line) && !(ENTRY.test(line) && line.length <= MAX_CHARACTERS)),
        [],
      )
    })
  }

  it('have a line of their release tests without a failure, from 0.4.0 on', () => {
    const tested = [...page.matchAll(/^\| (\S+) \| \S+ \| [^|]+ \| [\d.]+ \| [1-9]\d* \| 0 \| \d+ \|$/gm)]
    assert.deepEqual(
      rows.map(([, version]) => version).filter((version) => !BEFORE_RELEASE_TESTS.includes(String(version))),
      tested.map(([, version]) => version),
    )
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
