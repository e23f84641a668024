import { message } from '@campus/engine/base/languages/say'
import { open, permit } from '@campus/engine/rest/declare/access'
import { integer, reference, time, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many } from '@campus/engine/rest/declare/fields/embeds'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { requireOwnWinner } from '../domain/coalitions/coalitions.ts'
import { role } from './access.ts'
import { gameMasters } from './coalitions.ts'

const tutor = role('Advanced Tutor')
const optional = { nullable: true } as const

export const blocs = resource({
  name: 'blocs',
  summary: 'The coalitions of a campus and cursus that stand against each other.',
  fields: {
    id: integer(),
    campus_id: reference('campus', { required: true }),
    cursus_id: reference('cursus', { required: true }),
    squad_size: described('how many users a squad of it has', integer({ min: 0 })),
    ...timestamps(),
    coalitions: described('coalitions that stand in it', many('coalitions', 'record')),
    coalition_delay: described(
      'days until a new user belongs to a coalition; null where that is not said',
      integer({ min: 0, hidden: true, ...optional }),
    ),
    repeat_deadline_delay: described(
      'days from the end of a season to that of the next; null where that is not said',
      integer({ min: 0, hidden: true, ...optional }),
    ),
  },
  representations: { embedded: ['id', 'campus_id', 'cursus_id', 'squad_size', 'created_at', 'updated_at'] },
  index: { defaultSort: ['-created_at', '-id'] },
  dependents: { deleted: ['bloc_deadlines.bloc_id'] },
  actions: permit({ read: open, write: gameMasters }),
})

export const blocDeadlines = resource({
  name: 'bloc_deadlines',
  summary: 'One season of a bloc, and who won it.',
  fields: {
    id: integer(),
    bloc_id: reference('blocs', { required: true }),
    coalition_id: described('id of the coalition that won; null while nobody has', reference('coalitions', optional)),
    begin_at: described('when the season begins', time({ required: true })),
    end_at: described('when it ends', time({ required: true })),
    ...timestamps(),
  },
  index: { defaultSort: ['-created_at', '-id'] },
  parents: [under('blocs')],
  payload: {
    checks: { bloc_deadlines_end_at_check: ['end_at', message('must be after {field}', { field: 'begin_at' })] },
    validateAfter: requireOwnWinner,
  },
  actions: { index: tutor, show: tutor, create: { access: tutor }, update: { access: tutor } },
})
