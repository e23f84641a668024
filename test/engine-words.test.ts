import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'

const ENGINE = [
  'src/{base,http,database,rest,changes}/**/*.ts',
  'src/{actions,create-api,errors,mount-resources,validation-errors}.ts',
  'engine/*.{ts,md}',
  'engine/examples/*.ts',
]

const SCHOOL = /school|campus|student|coalition|cursus|intranet|evaluation|staff/i

/** References to the specification, which names its chapters after subjects of the school. */
const REFERENCE = /\(spec: [^)]*\)/g

/** Folders that may speak of the school, each with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'packages/assistants/mcp/':
    'It tells assistants what this service is about. It is an optional part beside the engine.',
}

it('the engine contains no word of the school', () => {
  const files = globSync(ENGINE)
  assert.ok(files.length > 300, `${files.length} files`)
  const found = files
    .filter((file) => !Object.keys(EXCEPTIONS).some((folder) => file.startsWith(folder)))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .replaceAll(REFERENCE, '')
        .split('\n')
        .filter((line) => SCHOOL.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )
  assert.deepEqual(found, [])
})
