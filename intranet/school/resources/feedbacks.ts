import { namesOf } from '@campus/engine/base/narrow'
import { all, either, open, own } from '@campus/engine/rest/declare/access'
import { embeddedOnly } from '@campus/engine/rest/declare/declaration'
import { choice, integer, reference, text, time, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many, one } from '@campus/engine/rest/declare/fields/embeds'
import { whenRelated } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { SIDES } from '../domain/evaluations/feedbackables.ts'
import { changeFeedback, finishFeedback, giveFeedback, withdrawFeedback } from '../domain/evaluations/feedbacks.ts'
import { role, scope } from './access.ts'
import * as joins from './join-tables.ts'

const staffOrOwn = either(role('Basic Staff'), all(scope('projects'), own('user_id')))
const hiddenOptional = { nullable: true, hidden: true } as const
const WRITTEN_BELOW = ['index', 'show', 'create', 'update', 'destroy'] as const

export const feedbacks = resource({
  name: 'feedbacks',
  summary: 'What a user thought of an evaluation or an event that they went through.',
  retainedTexts: 'what they wrote for others',
  large: true,
  aggregates: { times: ['created_at', 'updated_at'] },
  fields: {
    id: integer(),
    user: described('who gives it', one('users', 'by_login')),
    feedbackable_type: described('whether it is on an evaluation or an event', choice(namesOf(SIDES))),
    feedbackable_id: described('id of the evaluation or event that it is on', integer({ min: 1 })),
    comment: described('what the user says', text({ max: 1024, required: true })),
    rating: described('stars, from 0 to 5', integer({ min: 0, max: 5, nullable: true })),
    created_at: time(),
    feedback_details: described('ratings of single sides', many('feedback_details', 'record')),
    user_id: described('id of the user who gives it', reference('users', { hidden: true })),
    scale_team_id: described(
      'id of the evaluation that it is on; null where it is on an event',
      reference('scale_teams', hiddenOptional),
    ),
    event_id: described(
      'id of the event that it is on; null where it is on an evaluation',
      reference('events', hiddenOptional),
    ),
    updated_at: time({ hidden: true }),
  },
  index: {
    sort: { except: ['scale_team_id', 'event_id'] },
    defaultSort: ['created_at', '-id'],
    customFilters: {
      campus_id: described('whose user belongs to one of these campuses', whenRelated(joins.campusOfUser)),
    },
  },
  parents: [
    under('users'),
    under('events', { actions: WRITTEN_BELOW }),
    under('scale_teams', { actions: WRITTEN_BELOW }),
  ],
  payload: {
    accepts: { except: ['scale_team_id', 'event_id'] },
    nested: { feedback_details_attributes: { resource: 'feedback_details' } },
  },
  dependents: { deleted: ['feedback_details.feedback_id'] },
  lockedAfter: ['scale_team_id'],
  actions: {
    index: open,
    show: open,
    create: { access: staffOrOwn, perform: giveFeedback, finish: finishFeedback },
    update: { access: staffOrOwn, perform: changeFeedback, finish: finishFeedback },
    destroy: { access: staffOrOwn, perform: withdrawFeedback },
  },
})

export const feedbackDetails = resource({
  name: 'feedback_details',
  summary: 'One side of a feedback.',
  fields: {
    id: integer(),
    rate: described('points, from 0 to 4', integer({ min: 0, max: 4, required: true })),
    kind: described('side that is rated', choice(Object.values(SIDES).flat(), { required: true })),
    feedback_id: reference('feedbacks', { hidden: true, required: true }),
    ...timestamps({ hidden: true }),
  },
  payload: {},
  actions: embeddedOnly,
})
