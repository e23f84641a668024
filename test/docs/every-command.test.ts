import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** Tests that run the commands of a page, or of a section (`archive.md#Restore`), as written. */
const TYPED: Readonly<Record<string, string>> = {
  'archive.md#Restore': 'test/docs/archive.test.ts',
  'archive.md#Moving': 'test/docs/archive.test.ts',
  'archive.md#The format': 'test/docs/archive.test.ts',
  'assistants.md#By address': 'test/docs/assistants.test.ts',
  'assistants.md#By standard input and output': 'test/docs/assistants.test.ts',
  'attachments.md': 'test/docs/attachments.test.ts',
  'guides/1-getting-a-token.md': 'test/docs/guides.test.ts',
  'guides/2-the-web-flow.md': 'test/docs/guides.test.ts',
  'guides/3-paging-a-collection.md': 'test/docs/guides.test.ts',
  'import-export.md#Out': 'test/docs/import-export.test.ts',
  'import-export.md#In': 'test/docs/import-export.test.ts',
  'installing.md#npm': 'test/ops/packed.test.ts',
  'installing.md#Upgrade': 'test/ops/packed.test.ts',
  'installing.md#Containers': 'test/ops/containers.test.ts',
  'json-api.md': 'test/docs/json-api.test.ts',
  'mirroring.md#Copying': 'test/docs/mirroring.test.ts',
  'mirroring.md#The roles that a whole copy needs': 'test/docs/mirroring.test.ts',
  'mirroring.md#How a school moves': 'test/docs/mirroring.test.ts',
  'monitoring.md': 'test/docs/guides.test.ts',
  'openid.md': 'test/docs/openid.test.ts',
  'passkeys.md': 'test/docs/passkeys.test.ts',
  'streams.md': 'test/docs/streams.test.ts',
  'walkthrough.md': 'test/docs/walkthrough.test.ts',
  'webhooks.md': 'test/docs/webhooks.test.ts',
}

/** Commands that no test can run, with the reason. */
const NEVER_TYPED: readonly (readonly [page: string, line: RegExp, reason: string])[] = [
  [
    'scaling.md',
    /^ops\/cluster\/cluster /,
    'it needs a container engine; test/ops/compositions.test.ts reads the composition',
  ],
  [
    'commands.md',
    /^/,
    'examples of the help, whose commands and options test/docs/commands.test.ts holds to the command line',
  ],
  ['testing.md', /^npm (test|run) /, 'they run tests'],
  ['installing.md', /^npm ci /, 'it fetches from a registry; test/ops/debian.test.ts makes the package'],
  [
    'installing.md',
    /^npm install /,
    'it fetches from a registry; test/ops/packed.test.ts installs the same file in a project',
  ],
  ['installing.md', /^sudo /, 'it changes the machine; test/ops/debian.test.ts unpacks the package'],
  [
    'installing.md',
    /^install |^systemctl |^systemd-run |^--setenv=/,
    'it changes the machine; test/ops/systemd.test.ts has systemd read the unit',
  ],
  [
    'installing.md',
    /^docker /,
    'there may be no engine that runs it; test/ops/containers.test.ts reads what it would be given',
  ],
]

type Line = { readonly page: string; readonly title: string; readonly line: string }

/** Every line of a shell in the pages, with the page and the title above it. */
const lines: readonly Line[] = globSync('docs/**/*.md').flatMap((path) => {
  const page = path.replace(/^docs\//, '')
  let title = ''
  let isShell = false
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (/^ *```/.test(line)) isShell = !isShell && /^ *```(sh|bash|shell|console)$/.test(line)
      else if (isShell && line.trim() !== '') return [{ page, title, line: line.trim() }]
      else if (line.startsWith('## ')) title = line.slice(3)
      return []
    })
})
const isNeverTyped = ({ page, line }: Line) => NEVER_TYPED.some(([where, which]) => where === page && which.test(line))
const placeOf = ({ page, title }: Line) => [page, `${page}#${title}`].find((place) => place in TYPED)

test('every command of the pages is typed by a test, or the reason is told why it cannot be', () => {
  assert.ok(lines.length > 200)
  const missing = lines.filter((line) => placeOf(line) === undefined && !isNeverTyped(line))
  assert.deepEqual(
    missing.map(({ page, title, line }) => `${page}, ${title}: ${line}`),
    [],
  )
})

test('what is said of commands is said of some that there are', () => {
  const typed = new Set(lines.filter((line) => !isNeverTyped(line)).map(placeOf))
  assert.deepEqual(
    Object.keys(TYPED).filter((place) => !typed.has(place)),
    [],
  )
  const idle = NEVER_TYPED.filter(([page, line]) => !lines.some((one) => one.page === page && line.test(one.line)))
  assert.deepEqual(idle, [])
})

test('a test that types commands names their page and their title', () => {
  for (const [place, file] of Object.entries(TYPED)) {
    const text = readFileSync(file, 'utf8')
    const [page = '', title] = place.split('#')
    assert.ok(text.includes(page.replace(/^guides\//, '')), `${file} does not name ${page}`)
    if (title) assert.match(text, new RegExp(`'${title}'`), `${file} does not name ${title}`)
  }
})

test('files of a checkout that commands name are there', () => {
  const named = lines.flatMap(({ line }) => line.match(/(?<![\w/])(?:ops|build|src)\/[\w./-]+/g) ?? [])
  assert.ok(named.length >= 2)
  assert.deepEqual(
    named.filter((path) => !existsSync(path)),
    [],
  )
})
