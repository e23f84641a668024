import { permit } from '@campus/engine/rest/declare/access'
import { throughRecord } from '@campus/engine/rest/declare/association'
import { embeddedOnly } from '@campus/engine/rest/declare/declaration'
import { choice, integer, reference, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { whenRelated } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'

const read = role('Basic Tutor')

const IN_USE = [
  [{ table: 'teams', by: 'project_session_id', key: 'project_session_id' }],
  [
    { table: 'scales', by: 'evaluation_id' },
    { table: 'scale_teams', by: 'scale_id' },
  ],
  [
    { table: 'uploads', by: 'evaluation_id' },
    { table: 'teams_uploads', by: 'upload_id' },
  ],
]

export const evaluations = resource({
  name: 'evaluations',
  summary: 'One of the ways in which a project session is evaluated: by people with a scale, or by an upload.',
  fields: {
    id: integer(),
    kind: described('`scale` by people, `upload` by a program', choice(['scale', 'upload'], { required: true })),
    position: described('place among the evaluations of the session, lowest first', integer({ min: 0 })),
    ...timestamps(),
    project_session_id: reference('project_sessions', { nullable: true, hidden: true }),
  },
  representations: { embedded: ['id', 'kind'] },
  index: {
    sort: { except: ['project_session_id'] },
    customFilters: {
      campus_id: described(
        'whose project session is for one of these campuses',
        whenRelated(throughRecord('project_sessions', 'project_session_id', 'campus_id')),
      ),
    },
  },
  parents: [
    under('projects', { by: throughRecord('project_sessions', 'project_session_id', 'project_id') }),
    under('project_sessions'),
  ],
  payload: {
    immutableWhile: { kind: IN_USE, project_session_id: IN_USE },
    nested: {
      scales_attributes: { resource: 'scales' },
      uploads_attributes: { resource: 'uploads' },
    },
  },
  dependents: { deleted: ['scales.evaluation_id', 'uploads.evaluation_id'] },
  actions: permit({ read: read, write: role('Advanced Tutor') }),
})

export const uploads = resource({
  name: 'uploads',
  summary: 'A program that marks what teams hand in.',
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    description: described('what it checks', text({ nullable: true, hidden: true })),
    evaluation_id: reference('evaluations', { hidden: true, required: true }),
    ...timestamps({ hidden: true }),
  },
  representations: { whole: ['id', 'evaluation_id', 'name', 'description', 'created_at', 'updated_at'] },
  payload: {},
  actions: embeddedOnly,
})
