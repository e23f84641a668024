import { throughRecord } from '@campus/engine/rest/declare/association'
import { integer, reference, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { giveScore, takeScoreBack } from '../domain/coalitions/scores.ts'
import { role } from './access.ts'
import { gameMasters } from './coalitions.ts'

const staff = { access: role('Advanced Staff') }
const optional = { nullable: true } as const
const read = { actions: ['index', 'show'] } as const

export const scores = resource({
  name: 'scores',
  summary: 'Points that a coalition was given, for what one of its users did or as a whole.',
  large: true,
  aggregates: {},
  fields: {
    id: integer(),
    coalition_id: reference('coalitions', { required: true }),
    scoreable_id: described(
      'id of what the points are for; null for nothing in particular',
      integer({ min: 1, ...optional }),
    ),
    scoreable_type: described(
      'what the points are for, as the name of a class such as `Location`; null for nothing in particular',
      text({ max: 255, ...optional }),
    ),
    coalitions_user_id: described(
      'id of the coalitions_user who brought the points; null where they are of the coalition as a whole',
      reference('coalitions_users', optional),
    ),
    calculation_id: described(
      'id of the rule that they were reckoned by; null where none was',
      integer({ min: 1, ...optional }),
    ),
    value: described('how many points; below 0 where they are taken away', integer({ required: true })),
    reason: described('what the points are for, in words', text({ max: 1024, required: true, isOneLine: false })),
    ...timestamps(),
  },
  index: { defaultSort: ['-created_at', '-id'] },
  parents: [
    under('coalitions', { actions: ['index', 'show', 'create', 'destroy'] }),
    under('coalitions_users', read),
    under('blocs', { by: throughRecord('coalitions', 'coalition_id', 'bloc_id'), ...read }),
  ],
  lockedAfter: ['coalition_id'],
  actions: {
    index: gameMasters,
    show: gameMasters,
    create: { ...staff, onlyBelow: true, perform: giveScore },
    destroy: { ...staff, perform: takeScoreBack },
  },
})
