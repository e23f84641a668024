import { boolean, choice, integer, reference, time } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { firstOf, one } from '@campus/engine/rest/declare/fields/embeds'
import { whenRelated } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { changeExperience, deleteExperience, finishExperience } from '../domain/projects/experiences.ts'
import { role } from './access.ts'
import * as joins from './join-tables.ts'

const tutor = role('Advanced Tutor')
const staff = role('Basic Staff')
const hiddenOptional = { nullable: true, hidden: true } as const

/** The spelling of `experiancable` is that of the public service (spec: school 8). */
export const experiences = resource({
  name: 'experiences',
  summary: 'What a user has earned in a skill by a project or a partnership.',
  retainedTexts: 'kinds of records',
  large: true,
  aggregates: {},
  fields: {
    id: integer(),
    user_id: described('id of the user who has earned it', reference('users', { required: true })),
    skill_id: described('id of the skill that it is earned in', reference('skills', { required: true })),
    cursus_id: described('id of the course that it counts in', reference('cursus', { required: true })),
    experiancable_id: described(
      'id of the part in the project or partnership that it is earned by',
      integer({ min: 1, required: true }),
    ),
    experiancable_type: described(
      'whether it is earned by a project or a partnership',
      choice(['ProjectsUser', 'PartnershipsUser']),
    ),
    experience: described('how much is earned, in points', integer({ min: 0, required: true })),
    is_bonus: described('whether it is earned beside what counts', boolean()),
    created_at: time(),
    experiancable: described(
      'part in the project or partnership that it is earned by',
      firstOf(
        one('projects_users', 'in_experience', { by: 'projects_user_id' }),
        one('partnerships_users', 'in_experience', { by: 'partnerships_user_id' }),
      ),
    ),
    projects_user_id: described(
      'id of the part in the project; null where it is a partnership',
      reference('projects_users', hiddenOptional),
    ),
    partnerships_user_id: described(
      'id of the part in the partnership; null where it is a project',
      reference('partnerships_users', hiddenOptional),
    ),
  },
  index: {
    sort: { except: ['projects_user_id', 'partnerships_user_id'] },
    defaultSort: ['-created_at', '-id'],
    customFilters: {
      campus_id: described('whose user has one of these primary campuses', whenRelated(joins.primaryCampusOfUser)),
    },
  },
  parents: [
    under('campus', { by: joins.primaryCampusOfUser }),
    under('projects_users'),
    under('users'),
    under('skills'),
    under('partnerships_users'),
  ],
  payload: {
    accepts: { except: ['projects_user_id', 'partnerships_user_id'], and: ['created_at'] },
    checks: {
      experiences_projects_user_id_fkey: ['experiancable_id', 'must exist'],
      experiences_partnerships_user_id_fkey: ['experiancable_id', 'must exist'],
    },
  },
  actions: {
    index: staff,
    show: staff,
    create: { access: tutor, finish: finishExperience },
    update: { access: tutor, perform: changeExperience },
    destroy: { access: tutor, perform: deleteExperience },
  },
})
