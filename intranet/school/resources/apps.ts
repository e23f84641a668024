import { either, open, own } from '@campus/engine/rest/declare/access'
import { bounded } from '@campus/engine/rest/declare/fields/bounds'
import { boolean, integer, reference, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { listed } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many, one } from '@campus/engine/rest/declare/fields/embeds'
import {
  booleanKind,
  choiceKind,
  idsKind,
  integerKind,
  textKind,
  textsKind,
} from '@campus/engine/rest/declare/fields/kinds'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { column, sql } from '@campus/engine/rest/declare/sql'
import { createApp, destroyApp, updateApp } from '../../oauth/applications/api-actions.ts'
import { SUBJECT_TYPES } from '../../oauth/applications/sign-in-values.ts'
import { SIGNING_ALGORITHMS } from '../../oauth/openid/signing-keys.ts'
import { applicationRoles, hourlyRate } from '../../oauth/rates.ts'
import { role } from './access.ts'
import { optionalParameter } from './parameters.ts'

const staff = role('Advanced Staff')

export const apps = resource({
  name: 'apps',
  summary: 'An application that calls this service; those that are not public are seen by their owners and by staff.',
  retainedTexts: 'what they built, for others to use',
  table: 'applications',
  unmirrored: 'applications and their secrets belong to one service',
  fields: {
    id: integer(),
    name: text({ required: true }),
    description: described('what it does, in the words of its owner', text({ nullable: true })),
    image: described('address of its logo', text({ nullable: true })),
    website: described('address of its website', text({ nullable: true })),
    public: described('whether everybody sees it in lists', boolean()),
    scopes: described(
      'what its tokens may be asked for',
      listed({ type: 'string' }, sql`to_json(${column('scopes')})::text`),
    ),
    ...timestamps(),
    owner: described('who is responsible for it; `{}` where nobody is', one('users', 'short', { absent: '{}' })),
    rate_limit: described('requests that it may make in an hour', hourlyRate),
    roles: described('roles that staff gave it', many('roles', 'embedded', { through: applicationRoles })),
    owner_id: described(
      'id of the user who is responsible for it; null where nobody is',
      reference('users', { nullable: true, hidden: true }),
    ),
    user_id: described(
      '`owner_id`, under its former name',
      integer({ column: 'owner_id', nullable: true, hidden: true }),
    ),
    uid: described('public id with which it signs on', text({ hidden: true })),
  },
  index: {
    sort: { except: ['uid'] },
    filter: { except: ['user_id'] },
    range: { except: ['user_id'] },
  },
  // spec: access 13
  concealed: { unless: 'public', access: either(role('Basic Staff'), own('owner_id')) },
  parents: [under('users')],
  payload: {
    accepts: { except: ['user_id', 'uid'] },
    extra: {
      scopes: optionalParameter('names of the scopes that it may ask for', textsKind),
      redirect_uris: optionalParameter('addresses to which people may come back from signing on', textsKind),
      role_ids: optionalParameter('ids of its roles; others are taken away', idsKind),
      rate_per_second: optionalParameter(
        'requests a second; null for the usual rate of its roles',
        bounded(integerKind, { min: 1 }),
      ),
      rate_per_hour: optionalParameter(
        'requests an hour; null for the usual rate of its roles',
        bounded(integerKind, { min: 1 }),
      ),
      confidential: optionalParameter('whether it can keep a secret; said once, at creation', booleanKind),
      authorization_response_iss: {
        kind: booleanKind,
        nullable: false,
        description: 'whether `iss` is told when people come back from signing on (RFC 9207)',
      },
      id_token_signed_response_alg: {
        kind: choiceKind(SIGNING_ALGORITHMS),
        nullable: false,
        description: 'how its ID tokens are signed',
      },
      subject_type: {
        kind: choiceKind(SUBJECT_TYPES),
        nullable: false,
        description:
          'whether `sub` is the id of the user, or `pairwise`, something that other hosts cannot compare with theirs',
      },
      post_logout_redirect_uris: optionalParameter(
        'addresses to which people may come back from signing out',
        textsKind,
      ),
      backchannel_logout_uri: optionalParameter(
        'https address that is sent a logout token when a session ends',
        textKind(),
      ),
    },
  },
  dependents: {
    deleted: [
      'access_tokens.application_id',
      'application_calls.application_id',
      'application_refusals.application_id',
      'application_roles.application_id',
      'application_route_calls.application_id',
      'consents.application_id',
      'token_families.application_id',
      'webhooks.application_id',
    ],
    released: ['audit_events.application_id'],
  },
  actions: {
    index: open,
    show: open,
    create: {
      access: staff,
      perform: createApp,
      oneTimeValues: {
        uid: 'The id with which the application signs on.',
        secret: 'Its secret, which is not kept and never shown again; null for an application that cannot keep one.',
      },
    },
    update: { access: staff, perform: updateApp },
    destroy: { access: staff, perform: destroyApp },
  },
})
