import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { errorsInEnglish, HttpError } from '@campus/engine/errors'
import { embeddedOnly, type Resource } from '@campus/engine/rest/declare/declaration'
import type { Column } from '@campus/engine/rest/declare/fields/field'
import { Registry } from '@campus/engine/rest/declare/registry'
import { readPayload } from '@campus/engine/rest/write/read-payload'
import { campus, type World } from '@campus/test/support/campus'
import { FACTORY_DEFINITIONS } from '@campus/test/support/factory-definitions'
import { createRecordFactory, type RecordFactory } from '@campus/test/support/record-factory'
import { COMMON_ACCESS } from '../../school/resources/access.ts'
import { resources } from '../../school/resources/index.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

/** Numbers that may be as large or as small as their columns hold, and why. */
const UNBOUNDED: Readonly<Record<string, string>> = {
  'users.correction_point': 'who owes evaluations is below zero',
  'users.wallet': 'who owes money is below zero',
  'coalitions.score': 'penalties are taken off it',
  'coalitions_users.score': 'penalties are taken off it',
  'coalitions_users.this_year_score': 'it is the score by another name',
  'scores.value': 'some are penalties',
}
const LARGEST = 2_147_483_647

type Bounded = { readonly name: string; readonly min: number; readonly max: number }

const registry = new Registry(resources(new Sealer(Buffer.alloc(32, 7))), COMMON_ACCESS)

/** Every number that a payload of the resource may hold, ids of other records included. */
function numbersOf({ name: resourceName, payload, stored }: Resource): Bounded[] {
  const { accepts = [], extra = {} } = payload ?? {}
  const columns = [...accepts.map((name) => [name, stored(name)] as const), ...Object.entries(extra)]
  return columns.flatMap(([name, column]) => (column && isNumber(column) ? [boundsOf(resourceName, name, column)] : []))
}

const isNumber = ({ kind }: Column) => kind.sqlType === 'integer' || kind.sqlType === 'double precision'

function boundsOf(resourceName: string, name: string, { kind: { schema } }: Column): Bounded {
  if (`${resourceName}.${name}` in UNBOUNDED) return { name, min: -LARGEST, max: LARGEST }
  const among = schema.enum as readonly number[] | undefined
  const { minimum, maximum } = among ? { minimum: Math.min(...among), maximum: Math.max(...among) } : schema
  assert.ok(typeof minimum === 'number' && typeof maximum === 'number', `${resourceName}.${name} has no bounds`)
  return { name, min: minimum, max: maximum }
}

const declared = registry.resources.filter((resource) => (resource.payload?.accepts.length ?? 0) > 0)
const all = (numbers: readonly Bounded[], beyond: (bounded: Bounded) => number) =>
  Object.fromEntries(numbers.map((bounded) => [bounded.name, beyond(bounded)]))

describe('every number has its bounds, which the document tells:', () => {
  for (const resource of declared) {
    const numbers = numbersOf(resource)
    if (numbers.length === 0) continue
    const names = numbers.map(({ name }) => name)
    it(`${resource.name}: ${names.join(', ')}`, () => {
      for (const [beyond, values] of [
        ['below', all(numbers, ({ min }) => min - 1)],
        ['above', all(numbers, ({ max }) => max + 1)],
      ] as const) {
        assert.throws(
          () =>
            readPayload(resource, values, {
              creating: false,
              now: new Date(),
              wire: { baseUrl: 'https://localhost', picturesUrl: 'https://localhost' },
            }),
          (error) => {
            assert.ok(error instanceof HttpError && error.status === 422, `${beyond}: ${error}`)
            assert.deepEqual(Object.keys(error.errors ?? {}).sort(), [...names].sort(), beyond)
            for (const texts of Object.values(errorsInEnglish(error.errors ?? {})))
              assert.match(texts[0] ?? '', /^must be /)
            return true
          },
        )
      }
    })
  }

  it('and those without have a reason', () => {
    for (const name of Object.keys(UNBOUNDED)) {
      const [resourceName = '', field = ''] = name.split('.')
      assert.equal(registry.get(resourceName).stored(field)?.kind.schema.minimum, undefined, name)
    }
  })
})

describe('a number at its bounds or beyond is taken or refused, and never a 500:', () => {
  let world: World
  let factory: RecordFactory
  before(async () => {
    world = await campus({ seeded: { users: 20, locations: 40 } })
    factory = await createRecordFactory(world, registry)
  })
  after(() => world.close())

  for (const [resourceName, { payload, alone }] of Object.entries(FACTORY_DEFINITIONS)) {
    const resource = registry.get(resourceName)
    const numbers = numbersOf(resource)
    if (!payload || numbers.length === 0 || resource.actions === embeddedOnly) continue
    const { create, update } = resource.actions
    if (!create || create.onlyBelow) continue
    it(resourceName, async () => {
      const id = await factory.make(resourceName)
      const isChanged = update !== undefined
      const given = isChanged ? {} : { ...(await payload(factory)), ...(await alone?.(factory)) }
      const send = (values: object) => {
        const body = { [resource.singular]: { ...given, ...values } }
        return isChanged
          ? factory.administrator.patch(`/v2/${resourceName}/${id}`, body)
          : factory.administrator.post(`/v2/${resourceName}`, body)
      }
      for (const values of [all(numbers, ({ min }) => min - 1), all(numbers, ({ max }) => max + 1)]) {
        const { status, text } = await send(values)
        assert.ok(status === 422 || status === 403, `${JSON.stringify(values)}: ${status} ${text}`)
      }
      for (const { name, min, max } of numbers) {
        // An endpoint's own id is among its fields: from then on it would be found elsewhere.
        if (resourceName === 'endpoints' && name === 'id') continue
        for (const value of [min, max]) {
          const { status, text } = await send({ [name]: value })
          assert.ok([200, 201, 204, 403, 422].includes(status), `${name}=${value}: ${status} ${text}`)
        }
      }
    })
  }
})
