import { open } from '@campus/engine/rest/declare/access'
import { float, integer, reference, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { resource, under } from '@campus/engine/rest/declare/resource'

export const projectSessionsSkills = resource({
  name: 'project_sessions_skills',
  summary: 'How much a project session adds to a skill; written as part of the session.',
  fields: {
    id: integer(),
    project_session_id: reference('project_sessions', { required: true }),
    skill_id: reference('skills', { required: true }),
    value: described('share of the experience that goes into the skill', float({ min: 0, max: 1_000_000 })),
    ...timestamps(),
  },
  parents: [under('project_sessions', { actions: ['index', 'show'] }), under('skills')],
  payload: {},
  actions: { index: open, show: open },
})
