import { createApp, destroyApp, updateApp } from '../oauth/applications/api-actions.ts'
import { applicationRoles, hourlyRate } from '../oauth/rates.ts'
import { either, open, own, role } from '../rest/declare/access.ts'
import { bounded } from '../rest/declare/fields/bounds.ts'
import { boolean, integer, reference, text, time } from '../rest/declare/fields/columns.ts'
import { textsOf } from '../rest/declare/fields/computed.ts'
import { many, one } from '../rest/declare/fields/embeds.ts'
import { booleanKind, idsKind, integerKind, textsKind } from '../rest/declare/fields/kinds.ts'
import { resource, under } from '../rest/declare/resource.ts'

const staff = role('Advanced Staff')

export const apps = resource({
  name: 'apps',
  singular: 'app',
  summary: 'An application that calls this service; those that are not public are seen by their owners and by staff.',
  table: 'applications',
  fields: {
    id: integer(),
    name: text(),
    description: text({ nullable: true }),
    image: text({ nullable: true }),
    website: text({ nullable: true }),
    public: boolean(),
    scopes: textsOf('scopes'),
    created_at: time(),
    updated_at: time(),
    owner: one('users', 'short', { absent: '{}' }),
    rate_limit: hourlyRate,
    roles: many('roles', 'embedded', { through: applicationRoles }),
    owner_id: reference('users', { nullable: true, hidden: true }),
  },
  index: {
    sort: ['id', 'name', 'description', 'image', 'website', 'public', 'owner_id', 'created_at', 'updated_at'],
    defaultSort: ['-created_at', '-id'],
  },
  concealed: { unless: 'public', access: either(role('Basic Staff'), own('owner_id')) },
  parents: [under('users')],
  payload: {
    accepts: ['name', 'description', 'image', 'website', 'public', 'owner_id'],
    requires: ['name'],
    extra: {
      scopes: { kind: textsKind, nullable: true },
      redirect_uris: { kind: textsKind, nullable: true },
      role_ids: { kind: idsKind, nullable: true },
      rate_per_second: { kind: bounded(integerKind, { min: 1 }), nullable: true },
      rate_per_hour: { kind: bounded(integerKind, { min: 1 }), nullable: true },
      confidential: { kind: booleanKind, nullable: true },
      authorization_response_iss: { kind: booleanKind, nullable: false },
    },
  },
  dependents: {
    deleted: [
      'access_tokens.application_id',
      'application_calls.application_id',
      'application_roles.application_id',
      'consents.application_id',
      'token_families.application_id',
    ],
    released: ['audit_events.application_id'],
  },
  actions: {
    index: open,
    show: open,
    create: {
      access: staff,
      perform: createApp,
      once: {
        uid: 'The id with which the application signs on.',
        secret: 'Its secret, which is not kept and never shown again; null for an application that cannot keep one.',
      },
    },
    update: { access: staff, perform: updateApp },
    destroy: { access: staff, perform: destroyApp },
  },
})
