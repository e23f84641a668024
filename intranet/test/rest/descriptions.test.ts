import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inEnglish } from '@campus/engine/base/languages/say'
import { atOnce } from '@campus/engine/base/slices'
import { describeAccess, open } from '@campus/engine/rest/declare/access'
import { integer, reference, text, time } from '@campus/engine/rest/declare/fields/columns'
import { isSet } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many, one } from '@campus/engine/rest/declare/fields/embeds'
import { group } from '@campus/engine/rest/declare/fields/group'
import { booleanKind } from '@campus/engine/rest/declare/fields/kinds'
import { whenRelated, whenSet } from '@campus/engine/rest/declare/filters'
import { Registry } from '@campus/engine/rest/declare/registry'
import { resource } from '@campus/engine/rest/declare/resource'
import { meaningOf } from '@campus/engine/rest/openapi/meaning'
import { openapiDocument } from '@campus/engine/rest/openapi/openapi-document'
import { routeTable } from '@campus/engine/rest/route-table'
import { COMMON_ACCESS } from '../../school/resources/access.ts'
import { resources } from '../../school/resources/index.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

const MAX_LENGTH = 120

const registry = new Registry(resources(new Sealer(Buffer.alloc(32, 7))), COMMON_ACCESS)

/** Everything in the declarations that is to say what it is, with what it says. */
const said = registry.resources.flatMap((one) => {
  const { fields, index, payload, actions } = one
  const own = typeof actions === 'string' ? {} : { ...actions.members, ...actions.queryActions }
  const accepted = Object.values(typeof actions === 'string' ? {} : (actions.members ?? {})).map(
    ({ accepts }) => accepts,
  )
  const named: [string, string | undefined][] = [
    ...Object.entries(fields).map(([name, field]) => [name, meaningOf(registry, one, name, field)] as [string, string]),
    ...[index.customFilters, payload?.extra, own, ...accepted].flatMap((group = {}) =>
      Object.entries(group).map(([name, { description }]) => [name, description] as [string, string]),
    ),
  ]
  return named.map(([name, description]) => ({ place: `${one.name}.${name}`, name, description }))
})

describe('the declarations', () => {
  test('every field, filter and action says what it is', () => {
    const silent = said.filter(({ description }) => !description)
    assert.deepEqual(
      silent.map(({ place }) => place),
      [],
    )
  })

  test('they say it in one short clause', () => {
    const wrong = said.filter(
      ({ description = '' }) =>
        description.length > MAX_LENGTH || /^[A-Z][a-z]|[.\n]$|\. [A-Z]|\s$|^\s/.test(description),
    )
    assert.deepEqual(wrong, [])
  })

  test('they say more than the name', () => {
    const bare = (words: string) => words.toLowerCase().replace(/\b(an?|its?|of|the)\b|[^a-z]/g, '')
    assert.deepEqual(
      said.filter(({ name, description = '' }) => bare(name) === bare(description)),
      [],
    )
  })
})

const rooms = resource({
  name: 'rooms',
  singular: 'room',
  summary: 'A room.',
  fields: {
    id: integer(),
    name: text(),
    lamps: many('lamps', 'record', { foreignKey: 'room_id' }),
    size: described('what fits in it', group({ width: described('from wall to wall, in metres', integer()) })),
  },
  index: { sort: ['id'], defaultSort: ['id'] },
  actions: { index: open, show: open },
})
const lamps = resource({
  name: 'lamps',
  singular: 'lamp',
  summary: 'A lamp.',
  fields: {
    id: integer(),
    lit_at: described('when it was lit; null while it is dark', time({ nullable: true })),
    'lit?': isSet('lit_at'),
    room: one('rooms', 'record', { by: 'room_id' }),
    room_id: reference('rooms', { hidden: true, nullable: true }),
  },
  index: {
    sort: ['id', 'lit_at'],
    defaultSort: ['id'],
    customFilters: {
      lit: whenSet('lit_at'),
      owner_id: described(
        'whose room belongs to one of these owners',
        whenRelated({ table: 'owners', foreignKey: 'room_id', key: 'room_id', otherKey: 'id' }),
      ),
    },
  },
  payload: {
    accepts: ['lit_at', 'room_id'],
    extra: { dim: { kind: booleanKind, nullable: true, description: 'whether it is to be dim' } },
  },
  actions: {
    index: open,
    show: open,
    create: { access: open },
    members: { light: { access: open, description: 'lights the lamp', perform: async () => 1 } },
  },
})
const house = new Registry([rooms, lamps], COMMON_ACCESS)
const { components, paths } = atOnce(
  openapiDocument(house, routeTable(house), {
    baseUrl: 'https://house.test',
    info: { title: 'House', summary: 'Rooms and lamps.', version: '2.0', license: { name: 'MIT', identifier: 'MIT' } },
  }),
)
// biome-ignore lint/suspicious/noExplicitAny: a document is looked into at every depth
const { schemas, parameters } = components as any

describe('the document', () => {
  test('shows what a field is with the property, in records and payloads', () => {
    const lit = 'When it was lit; null while it is dark.'
    assert.equal(schemas.lamp.properties.lit_at.description, lit)
    assert.equal(schemas.lamp_create.properties.lamp.properties.lit_at.description, lit)
    assert.equal(schemas.lamp_create.properties.lamp.properties.dim.description, 'Whether it is to be dim.')
    assert.equal(schemas.room.properties.size.properties.width.description, 'From wall to wall, in metres.')
  })

  test('says of what names and kinds tell what needs no words in the declaration', () => {
    const { id, room, 'lit?': isLit } = schemas.lamp.properties
    assert.equal(id.description, 'Id of the lamp.')
    assert.equal(room.description, 'The room whose id is `room_id`.')
    assert.equal(isLit.description, 'Whether `lit_at` is set.')
    const { room_id } = schemas.lamp_create.properties.lamp.properties
    assert.equal(room_id.description, 'Id of the room; null where there is none.')
    assert.equal(schemas.room.properties.lamps.description, 'Lamps of the room.')
    assert.equal(schemas.room.properties.name.description, 'What the room is called.')
  })

  test('shows it with filters, ranges and sorts', () => {
    assert.match(
      parameters['lamps.filter.lit_at'].description,
      /^When it was lit; null while it is dark\. Only records/,
    )
    assert.match(parameters['lamps.range.lit_at'].description, /^When it was lit; null while it is dark\. Only records/)
    assert.match(parameters['lamps.sort'].description, /^- `lit_at`: when it was lit; null while it is dark$/m)
    assert.match(parameters['lamps.filter.lit'].description, /^Only records whose `lit_at` is set; with `false`/)
    assert.match(parameters['lamps.filter.owner_id'].description, /^Only records whose room belongs to one of these/)
  })

  test('shows what an action does', () => {
    const { patch } = paths['/v2/lamps/{id}/light'] as unknown as Record<string, { description: string }>
    assert.equal(patch?.description, `Lights the lamp. Needs ${inEnglish(describeAccess(open))}.`)
  })
})
