import { permit } from '@campus/engine/rest/declare/access'
import { throughRecord } from '@campus/engine/rest/declare/association'
import { boolean, integer, reference, time, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many, one } from '@campus/engine/rest/declare/fields/embeds'
import { whenSet } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { joinSquad } from '../domain/coalitions/squads.ts'
import { role } from './access.ts'

const tutor = role('Advanced Tutor')

export const squads = resource({
  name: 'squads',
  summary: 'A few users of a bloc who stand together.',
  fields: {
    id: integer(),
    bloc_id: reference('blocs', { required: true }),
    locked_at: described('since when nobody joins it any more; null before', time({ nullable: true })),
    squads_users: described('who belongs to it', many('squads_users', 'embedded')),
    ...timestamps(),
    bloc: one('blocs', 'embedded'),
  },
  index: {
    defaultSort: ['-created_at', '-id'],
    customFilters: { locked: whenSet('locked_at') },
  },
  parents: [under('blocs', { actions: ['index', 'show', 'create', 'destroy'] })],
  payload: {
    mayBeBare: true,

    nested: { squads_users_attributes: { resource: 'squads_users', actions: { create: joinSquad } } },
  },
  dependents: { deleted: ['squads_users.squad_id'] },
  actions: permit({ read: tutor, write: tutor }),
})

export const squadsUsers = resource({
  name: 'squads_users',
  summary: 'A user belongs to a squad.',
  large: true,
  fields: {
    id: integer(),
    squad_id: reference('squads', { required: true }),
    leader: described('whether the user leads the squad', boolean()),
    validated: described('whether it is settled that the user belongs to it', boolean()),
    ...timestamps(),
    user: one('users', 'minimal'),
    user_id: reference('users', { hidden: true, required: true }),
  },
  representations: { embedded: ['id', 'squad_id', 'leader', 'validated', 'created_at', 'updated_at', 'user'] },
  index: { defaultSort: ['-created_at', '-id'] },
  parents: [
    under('blocs', { by: throughRecord('squads', 'squad_id', 'bloc_id'), actions: ['index', 'create', 'destroy'] }),
  ],
  payload: { mayBeBare: true },
  actions: {
    index: tutor,
    show: tutor,
    create: { access: tutor, perform: joinSquad },
    update: { access: tutor },
    destroy: { access: tutor },
  },
})
