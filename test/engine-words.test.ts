import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'

/** Sources and the page of the engine, without its tests. */
const ENGINE = ['engine/*.{ts,md}', 'engine/{base,changes,database,examples,http,rest}/**/*.ts']

const SCHOOL = /school|campus|student|coalition|cursus|intranet|evaluation|staff/i

/** References to the specification, which names its chapters after subjects of the school. */
const REFERENCE = /\(spec: [^)]*\)/g
/** Scope of the names of all packages here. */
const SCOPE = /@campus\//g

it('the engine contains no word of the school', () => {
  const files = globSync(ENGINE)
  assert.ok(files.length > 300, `${files.length} files`)
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .replaceAll(REFERENCE, '')
      .replaceAll(SCOPE, '')
      .split('\n')
      .filter((line) => SCHOOL.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  assert.deepEqual(found, [])
})
