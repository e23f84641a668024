import { message } from '@campus/engine/base/languages/say'
import { isParams } from '@campus/engine/http/params'
import { either, open, permit } from '@campus/engine/rest/declare/access'
import { through } from '@campus/engine/rest/declare/association'
import { embeddedOnly } from '@campus/engine/rest/declare/declaration'
import {
  boolean,
  choice,
  integer,
  reference,
  slug,
  text,
  time,
  timestamps,
} from '@campus/engine/rest/declare/fields/columns'
import { alwaysNull, derived, pictureAddress, picturePathOf } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { borrowed, fromJoinTable } from '@campus/engine/rest/declare/fields/embeds'
import type { Field } from '@campus/engine/rest/declare/fields/field'
import { group } from '@campus/engine/rest/declare/fields/group'
import { textKind } from '@campus/engine/rest/declare/fields/kinds'
import { whenFuture, whenSet } from '@campus/engine/rest/declare/filters'
import { resource, under, underBoth } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'
import * as joins from './join-tables.ts'

const optional = { nullable: true } as const

/** Has the shape of a user's picture, without smaller versions. */
const image = {
  ...group({ url: pictureAddress(derived(['image'], ([image]) => image ?? null)), thumb: group({ url: alwaysNull }) }),
  stored: {
    kind: textKind({ max: 2048, isOneLine: true }),
    nullable: true,
    column: 'image',
    fromShown: (input, wire) =>
      picturePathOf(isParams(input) && typeof input.url === 'string' ? input.url : input, wire),
  },
  readColumns: (value) => ({ image: isParams(value) ? value.url : null }),
} satisfies Field

const ofCampus = { through: joins.campusProducts }
const ofCampusOfProduct = through(joins.campusProducts, 'campus', { by: 'product_id' })

export const products = resource({
  name: 'products',
  summary: 'Something that users may buy in the shop.',
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    description: described('what it is', text({ required: true })),
    price: described('what it costs', integer({ min: 0, required: true })),
    quantity: described('how many there are; null where they are not counted', integer({ min: 0, ...optional })),
    begin_at: described('from when on it is sold; null for ever since', time(optional)),
    end_at: described('until when it is sold; null for ever', time(optional)),
    category_id: described('id of the part of the shop that it is in', integer({ min: 1, required: true })),
    ...timestamps(),
    kind: described(
      'who hands it over: users, managers of the shop or the service',
      choice(['user', 'manager', 'auto'], { required: true }),
    ),
    slug: slug(),
    image: described('address of its picture', image),
    is_uniq: described('whether a user may have only one of it at a time', boolean(optional)),
    one_time_purchase: described('whether a user may buy it only once', boolean(optional)),
    campus_id: described('id of the campus of the list', fromJoinTable(reference('campus'))),
    campus_name: described(
      'name of the campus of the list',
      fromJoinTable(borrowed('campus', 'campus_id', text({ column: 'name' }))),
    ),
  },
  representations: { at_campus: { except: [], and: ['campus_id', 'campus_name'] } },
  index: { customFilters: { future: whenFuture('begin_at'), end: whenSet('end_at') } },
  parents: [
    under('campus', {
      ...ofCampus,
      representation: 'at_campus',
      actions: ['index', 'show', 'create', 'update', 'destroy'],
    }),
  ],
  payload: {
    requires: ['image'],
    nested: { campus_products_attributes: { resource: 'campus_products' } },
    slugFrom: 'name',
    checks: { products_end_at_check: ['end_at', message('must be after {field}', { field: 'begin_at' })] },
  },
  dependents: { deleted: ['campus_products.product_id'] },
  actions: permit({ read: open, write: either(role('Shop manager'), role('Advanced Tutor')) }),
})

export const campusProducts = resource({
  name: 'campus_products',
  summary: 'A product is sold at a campus.',
  fields: {
    id: integer(),
    campus_id: reference('campus', { required: true }),
    product_id: reference('products', { required: true }),
  },
  payload: {},
  actions: embeddedOnly,
})

export const commands = resource({
  name: 'commands',
  summary: 'An order of a product.',
  large: true,
  fields: {
    id: integer(),
    product_id: reference('products'),
    user_id: described('id of the user who ordered it', reference('users')),
    owner_id: described('id of the user whose it is; null for nobody', reference('users', optional)),
    used: described('whether it has been used up', boolean()),
    validator_id: described('id of the user who handed it over; null before', reference('users', optional)),
    validated_at: described('when it was handed over; null before', time(optional)),
    ...timestamps(),
  },
  index: { customFilters: { validated: whenSet('validated_at') } },
  parents: [
    under('products'),
    underBoth(under('campus', { by: ofCampusOfProduct }), under('products', { by: 'product_id' })),
  ],
  actions: { index: open, show: open },
})
