import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { promisify } from 'node:util'

/** What may be passed on with a program under the MIT licence, or be loaded by it as a library of its own. */
const LICENCES = [
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
  'LGPL-3.0-or-later',
]

type Component = {
  readonly name: string
  readonly version: string
  readonly hashes: readonly unknown[]
  readonly licenses?: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[]
}

let components: readonly Component[]
before(async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['build/sbom.ts'], { maxBuffer: 64 * 1_048_576 })
  const bom = JSON.parse(stdout)
  assert.deepEqual([bom.bomFormat, bom.specVersion], ['CycloneDX', '1.5'])
  components = bom.components
})

type Locked = { readonly version: string } & Readonly<Record<string, Record<string, string>>>

/** What the service needs and what that needs, found in the lock file as Node looks for it. */
async function installedWithService(): Promise<string[]> {
  const packages: Record<string, Locked> = JSON.parse(await readFile('package-lock.json', 'utf8')).packages
  const found = new Set<string>()
  const follow = (from: string, name: string) => {
    let folder = from
    while (!packages[join(folder, 'node_modules', name)])
      folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))
    const path = join(folder, 'node_modules', name)
    if (found.has(path)) return
    found.add(path)
    for (const next of needsOf(path)) follow(path, next)
  }
  const needsOf = (path: string) =>
    Object.keys({ ...packages[path]?.dependencies, ...packages[path]?.optionalDependencies })
  for (const name of needsOf('')) follow('', name)
  return [...found].map(
    (path) => `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${packages[path]?.version}`,
  )
}

test('the bill of materials has every package that comes with the service, and none of development', async () => {
  const wanted = await installedWithService()
  const found = components.map(({ name, version }) => `${name}@${version}`)
  assert.deepEqual([...new Set(found)].sort(), [...new Set(wanted)].sort())
})

/** Whether we may: by one of those that an `OR` offers, by all that an `AND` asks for. An expression has one of both words, not both. */
function mayBePassedOn(terms: string): boolean {
  assert.ok(!(terms.includes(' AND ') && terms.includes(' OR ')), terms)
  const isKnown = (licence: string) => LICENCES.includes(licence)
  const words = terms.replaceAll(/[()]/g, '').split(/ AND | OR /)
  return terms.includes(' OR ') ? words.some(isKnown) : words.every(isKnown)
}

test('each of them has a digest, and a licence that may be passed on', () => {
  for (const { name, licenses = [], hashes } of components) {
    assert.ok(hashes.length > 0, name)
    assert.ok(licenses.length > 0, `${name} names no licence`)
    for (const { license, expression } of licenses) {
      const terms = license?.id ?? expression ?? ''
      assert.ok(mayBePassedOn(terms), `${name}: ${terms}`)
    }
  }
})
