import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HttpError } from '@campus/engine/errors'
import { Registry } from '@campus/engine/rest/declare/registry'
import { parsePayload } from '@campus/engine/rest/write/parse'
import { COMMON_ACCESS } from '../../school/resources/access.ts'
import { resources } from '../../school/resources/index.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

const registry = new Registry(resources(new Sealer(Buffer.alloc(32, 7))), COMMON_ACCESS)

/** The elements as a payload of the resource is read that changes it. */
function parsed(resource: string, name: string, elements: readonly object[]) {
  const options = {
    creating: false,
    now: new Date(),
    wire: { baseUrl: 'https://localhost', picturesUrl: 'https://localhost' },
  }
  const payload = parsePayload(registry, registry.get(resource), { [name]: elements }, options)
  return payload.nested.find((part) => part.name === name)?.elements ?? []
}

const unreadable = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`questoins${index}`, 1]))

describe('elements of a payload are read before anything is written:', () => {
  it('none after the first that cannot be', () => {
    const elements = parsed('scales', 'sections_attributes', [{ name: 'A' }, ...Array(999).fill(unreadable)])
    assert.equal(elements.length, 2)
  })

  it('nor after the first that holds one which cannot be', () => {
    const holding = { name: 'B', questions_attributes: Array(999).fill(unreadable) }
    assert.equal(parsed('scales', 'sections_attributes', Array(999).fill(holding)).length, 1)
  })

  it('to be removed, whatever else they say', () => {
    const removal = { id: 1, _destroy: true, ...unreadable }
    const elements = parsed('scales', 'sections_attributes', [removal, removal])
    assert.deepEqual(elements, [
      { id: 1, holder: undefined, isRemoval: true },
      { id: 1, holder: undefined, isRemoval: true },
    ])
  })

  it('as new and as changed where they go by the id of what they are about', () => {
    const [element] = parsed('cursus_users', 'skills_attributes', [{ id: 3, level: 2.5 }])
    assert.ok(element && !(element instanceof HttpError) && !element.isRemoval)
    const { asNew, asChange } = element
    assert.ok(asNew && asChange && !(asNew instanceof HttpError) && !(asChange instanceof HttpError))
    assert.deepEqual(asNew.values, { id: 3, level: 2.5 })
    assert.deepEqual(asChange.values, { level: 2.5 })
  })
})
