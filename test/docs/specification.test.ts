import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, it } from 'node:test'

const PAGES = new Map(
  globSync('docs/specification/*.md')
    .filter((path) => !path.endsWith('/README.md'))
    .map((path) => [basename(path, '.md'), rulesOf(readFileSync(path, 'utf8'))]),
)

/** Handwritten sources and documents, which may cite a rule. */
const SOURCES = globSync(['{engine,intranet,packages,service,test,docs,bench,clients,build,ops,bin}/**/*', '*.md'], {
  withFileTypes: true,
})
  .filter((entry) => entry.isFile() && /\.(ts|js|mjs|css|sh|sql|md|py|txt)$/.test(entry.name))
  .map((entry) => `${entry.parentPath}/${entry.name}`)
  .filter((path) => !/\/(node_modules|dist|screenshots|generated)\//.test(path))
  .filter((path) => !path.endsWith('test/docs/specification.test.ts'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

/** Citations of documents that are not in the repository. */
const OUTSIDE = [
  /\bwire.facts\b/i,
  /\b(decisions|neighbours|promises)(\.md| §| [A-Z]?\d)/i,
  /(?<![\w-])(api|design|promises)\.md\b/,
  /\bapi-design\b/,
  /\bshared\/reference\b/,
]
/** Matches a section of a known standard: `RFC 9110 §13.1.2`. Readers cannot find sections of other documents. */
const SECTIONS =
  /\b(RFC \d+|OpenID Connect (?:Core|Discovery|RP-Initiated Logout|Back-Channel Logout)|WebAuthn|XML 1\.0|CSS Values 4|EXIF 2\.32|UAX #15) §[\d.]+(, §[\d.]+)*/g

describe('the specification', () => {
  it('is named page by page by its first page', () => {
    const links = [...readFileSync('docs/specification/README.md', 'utf8').matchAll(/^\| \[([\w-]+)\]\(\1\.md\)/gm)]
    assert.deepEqual(links.map(([, name]) => name).sort(), [...PAGES.keys()].sort())
  })

  for (const [page, rules] of PAGES) {
    it(`numbers the rules of ${page} without gaps, each with its source and with tests that are there`, () => {
      assert.deepEqual(
        rules.map(({ number }) => number),
        rules.map((_, index) => index + 1),
      )
      for (const { number, text, tests } of rules) {
        assert.match(text, /\*[A-Z][^*]+\.\*/, `${page} ${number} has no source`)
        for (const test of tests) assert.ok(existsSync(test), `${page} ${number}: ${test} is not there`)
      }
    })
  }

  it('has a test for every rule of lists and of access', () => {
    for (const page of ['lists', 'access']) {
      const untested = PAGES.get(page)?.filter(({ tests }) => tests.length === 0)
      assert.deepEqual(untested, [], page)
    }
  })
})

describe('sources', () => {
  it('cite rules that are there', () => {
    const known = new Set([...PAGES].flatMap(([page, rules]) => rules.map(({ number }) => `${page} ${number}`)))
    const unknown = citationsIn(SOURCES).filter(({ rule }) => !known.has(rule))
    assert.deepEqual(unknown, [])
  })

  it('cite each rule of lists and of access where the service holds it', () => {
    const cited = new Set(
      citationsIn(SOURCES.filter(({ path }) => /^(?:engine|intranet|packages|service)\//.test(path))).map(
        ({ rule }) => rule,
      ),
    )
    for (const page of ['lists', 'access']) {
      const rules = (PAGES.get(page) ?? []).map(({ number }) => `${page} ${number}`)
      assert.deepEqual(
        rules.filter((rule) => !cited.has(rule)),
        [],
      )
    }
  })

  it('cite no document that is not in the repository', () => {
    const foreign = linesThat((line) => OUTSIDE.some((name) => name.test(line)))
    assert.deepEqual(foreign, [])
  })

  it('cite sections of standards alone', () => {
    const foreign = linesThat((line) => line.replaceAll(SECTIONS, '').includes('§'))
    assert.deepEqual(foreign, [])
  })
})

type Source = (typeof SOURCES)[number]

/** Returns the cited rules, such as `lists 4`, or the page alone if a citation has no number. */
const citationsIn = (sources: readonly Source[]) =>
  sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\bspec: ([a-z]+(?:-[a-z]+)*)(?: (\d+(?:, \d+)*))?/g)].flatMap(([, page = '', numbers = '']) =>
      numbers.split(', ').map((number) => ({ path, rule: `${page} ${number}` })),
    ),
  )

const linesThat = (isFound: (line: string) => boolean): string[] =>
  SOURCES.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line) => (isFound(line) ? `${path}: ${line.trim()}` : [])),
  )

type Rule = { readonly number: number; readonly text: string; readonly tests: readonly string[] }

/** Returns the numbered rules of a page. Test files named in backticks are the tests of a rule. */
function rulesOf(page: string): Rule[] {
  const [, ...parts] = page.split(/^(?=\d+\. )/m)
  return parts.map((text) => ({
    number: Number.parseInt(text, 10),
    text,
    tests: [...text.matchAll(/`((?:(?:engine|intranet|packages\/[\w-]+)\/)?test\/[\w/-]+\.test\.ts)`/g)].map(
      ([, path]) => path as string,
    ),
  }))
}
