import { open } from '@campus/engine/rest/declare/access'
import { integer, reference, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { guarded, nullWhereHidden } from '@campus/engine/rest/declare/fields/guarded'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { BOOKING_IS_SECRET } from './participants.ts'

export const correctionPointHistorics = resource({
  name: 'correction_point_historics',
  summary: 'A change of the evaluation points of a user. What they have is the sum of all.',
  retainedTexts: 'reasons of points',
  large: true,
  aggregates: {},
  unmirrored: 'the lists do not say whose they are',
  fields: {
    id: integer(),
    scale_team_id: described(
      'id of the evaluation that it was for; null for none, and once the evaluation is gone',
      nullWhereHidden(BOOKING_IS_SECRET, reference('scale_teams', { nullable: true })),
    ),
    reason: described('why points came or went: `Defense plannification`, `Earning after defense` and others', text()),
    sum: described('points that came; negative where they went', integer()),
    total: described('points that the user had afterwards', integer()),
    ...timestamps(),
    user_data_id: described(
      'id of the user whose points they are',
      guarded(BOOKING_IS_SECRET, reference('users', { hidden: true })),
    ),
  },
  index: { defaultSort: ['id'] },
  parents: [under('users', { by: 'user_data_id' })],
  actions: { index: open, show: open },
})
