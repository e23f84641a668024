import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { installedPackages } from '../support/installed-packages.ts'

/** Licences of libraries that a program under the MIT licence may distribute or load. */
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

test('the bill of materials has every package that comes with the service, and none of development', async () => {
  const wanted = (await installedPackages('')).map(({ name, version }) => `${name}@${version}`)
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
