import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, it } from 'node:test'

const documents = globSync(['*.md', 'docs/**/*.md', 'engine/*.md', 'clients/*/*.md']).filter(
  (path) => path !== 'CHANGELOG.md',
)
const { scripts, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const clientScripts = JSON.parse(readFileSync('clients/typescript/package.json', 'utf8')).scripts

/** Folders that documents leave out of the paths of sources. */
const FOLDERS = ['engine', 'intranet', 'intranet/school', 'intranet/pages', 'packages']
/** Paths below these folders, as documents write them in code: `server/app/app.ts`, `rest/read/plan.ts`, `test/faults/*.test.ts`. */
const ROOTS = [
  ...['engine', 'intranet', 'packages', 'clients', 'test', 'docs', 'bench'],
  ...globSync(FOLDERS.map((folder) => `${folder}/*/`)).map((path) => basename(path)),
]
/** Names with a slash that mean no file: a method of the Model Context Protocol. */
const NO_FILES = ['server/discover']
/** Names of the packages of this repository. */
const WORKSPACES = globSync('{engine,intranet,packages/*,service,test,clients/typescript}/package.json').map(
  (path) => JSON.parse(readFileSync(path, 'utf8')).name,
)
const FILE = new RegExp(`^(${ROOTS.join('|')})/[\\w./*{},-]+$`)

for (const document of documents) {
  const text = readFileSync(document, 'utf8')
  describe(`what ${document} names is there:`, () => {
    it('files', () => {
      const named = [...text.matchAll(/`([^`\s]+)`/g)]
        .map(([, name]) => name as string)
        .filter((name) => FILE.test(name) && !NO_FILES.includes(name))
      const isThere = (name: string) => globSync([name, ...FOLDERS.map((folder) => join(folder, name))]).length > 0
      assert.deepEqual(
        named.filter((name) => !isThere(name)),
        [],
      )
    })

    it('links to other documents', () => {
      const links = [...text.matchAll(/\]\((?!https?:|#|\/)([^)#\s]+)[^)]*\)/g)].map(([, link]) => link as string)
      assert.deepEqual(
        links.filter((link) => !existsSync(join(dirname(document), link))),
        [],
      )
    })

    it('sections of documents', () => {
      const links = [...text.matchAll(/\]\((?!https?:|\/)([^)#\s]*)#([^)\s]+)\)/g)]
      const isThere = ([, file, section]: RegExpMatchArray) =>
        sectionsOf(file ? join(dirname(document), file) : document).includes(section ?? '')
      assert.deepEqual(
        links.filter((link) => !isThere(link)).map(([link]) => link),
        [],
      )
    })

    it('workspaces', () => {
      const named = [...text.matchAll(/npm [^\n`]*?(?:-w|--workspace)[ =]([\w@/-]+)/g)].map(([, name]) => name)
      assert.deepEqual(
        named.filter((name) => !WORKSPACES.includes(name ?? '')),
        [],
      )
    })

    it('npm scripts', () => {
      const named = [...text.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name]) => name as string)
      assert.deepEqual(
        named.filter((name) => !(name in scripts || name in clientScripts)),
        [],
      )
    })
  })
}

/** The sections of a document, as links name them. */
function sectionsOf(document: string): readonly string[] {
  const headings = [...readFileSync(document, 'utf8').matchAll(/^#+ (.+)$/gm)]
  return headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}

it('pages that everybody reads are short', () => {
  const sizes = { 'docs/operating.md': 25_000, 'docs/architecture.md': 20_000 }
  assert.deepEqual(
    Object.entries(sizes).filter(([document, size]) => statSync(document).size > size),
    [],
  )
})

it('docs/architecture.md says why each package is there that the service needs at run time', () => {
  const table = readFileSync('docs/architecture.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
  const explained = new Set(table.flatMap((line) => (line.split('|')[1] ?? '').split(',')).map((name) => name.trim()))
  assert.deepEqual(
    Object.keys(dependencies).filter((name) => !explained.has(name)),
    [],
  )
})
