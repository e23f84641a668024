import { open, permit } from '@campus/engine/rest/declare/access'
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
import { alwaysNull } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { one } from '@campus/engine/rest/declare/fields/embeds'
import { whenRelated, whenSet } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'
import * as joins from './join-tables.ts'

const staff = role('Advanced Staff')

const optional = { nullable: true } as const
const hiddenOptional = { nullable: true, hidden: true } as const

const WRITTEN_ONCE_SHOWN = ['guild_size', 'guild_prct', 'mails', 'duration', 'ancestry'] as const
const CONDITIONS = ['certificate_id', 'unlock_all_projects', 'tries_number', 'success_number', 'close_on_fail'] as const

export const quests = resource({
  name: 'quests',
  summary: 'A goal of a cursus that a user reaches over months, as a grade.',
  identifiedBy: 'slug',
  cachedInMemory: true,
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    slug: slug(),
    kind: described(
      'how it counts for the cursus',
      choice(['main', 'optional', 'mandatory', 'repeatable', 'cursus_version'], { required: true }),
    ),
    internal_name: described('name for programs', text({ max: 255, ...optional })),
    description: described('what is to be reached', text()),
    cursus_id: reference('cursus', optional),
    campus_id: reference('campus', optional),
    ...timestamps(),
    grade_id: described('id of the grade that it leads to', integer({ min: 0, ...optional })),
    position: described('place in the cursus, lowest first', integer({ min: 0 })),
    grade: alwaysNull,
    cursus: one('cursus', 'embedded'),
    campus: one('campus', 'embedded'),
    guild_size: described('how many users make a guild', integer({ min: 0, ...hiddenOptional })),
    guild_prct: described(
      'share of a guild that must succeed, in percent',
      integer({ min: 0, max: 100, ...hiddenOptional }),
    ),
    mails: described('texts of its e-mails', text(hiddenOptional)),
    duration: described('how long users may take for it', integer({ min: 0, ...hiddenOptional })),
    ancestry: described('path of the quests above it; never filled', text(hiddenOptional)),
    certificate_id: described('id of the certificate that comes with it', integer({ min: 0, ...hiddenOptional })),
    unlock_all_projects: described('whether it opens all projects of the cursus', boolean({ hidden: true })),
    tries_number: described('how many tries a user has', integer({ min: 0, ...hiddenOptional })),
    success_number: described('how many successes it takes', integer({ min: 0, ...hiddenOptional })),
    close_on_fail: described('whether failing it closes the account', boolean({ hidden: true })),
    mails_from: described('sender of its e-mails', text(hiddenOptional)),
  },
  representations: {
    embedded: { except: ['cursus', 'campus'] },
    created: { except: [], and: WRITTEN_ONCE_SHOWN },
  },
  answers: { create: 'created' },
  index: {
    defaultSort: ['id'],
    filter: { except: [...WRITTEN_ONCE_SHOWN, ...CONDITIONS, 'mails_from'] },
  },
  parents: [under('cursus'), under('campus'), under('users', { through: joins.questsUsers })],
  payload: {
    accepts: { except: ['ancestry'] },
    slugFrom: 'name',
  },
  actions: permit({ read: open, write: staff }),
})

export const questsUsers = resource({
  name: 'quests_users',
  summary: 'How far a user is with a quest.',
  retainedTexts: 'how far they are',
  large: true,
  aggregates: {
    groups: [['quest_id']],
    times: ['created_at', 'updated_at', 'end_at', 'validated_at'],
    timesBy: { column: 'quest_id', times: ['created_at'] },
  },
  fields: {
    id: integer(),
    end_at: described('until when the user has time; null where there is no limit', time(optional)),
    quest_id: reference('quests', { required: true }),
    validated_at: described('when the user reached it; null before', time(optional)),
    prct: described('share that is done, in percent', integer({ min: 0, max: 100, ...optional })),
    advancement: described('how far the user is, in words', text({ max: 255, ...optional })),
    ...timestamps(),
    user: one('users', 'short'),
    quest: one('quests', 'embedded'),
    user_id: reference('users', { hidden: true, required: true }),
  },
  index: {
    customFilters: {
      campus_id: described('whose user belongs to one of these campuses', whenRelated(joins.campusOfUser)),
      end: whenSet('end_at'),
      validated: whenSet('validated_at'),
    },
  },
  graph: { fields: ['created_at', 'updated_at', 'end_at', 'validated_at'], default: 'created_at' },
  parents: [
    under('users', { actions: ['index', 'graph', 'create'] }),
    under('quests', { actions: ['index', 'graph', 'create'] }),
  ],
  actions: permit({ read: open, write: staff }),
})
