import { permit } from '@campus/engine/rest/declare/access'
import { throughRecord } from '@campus/engine/rest/declare/association'
import { boolean, duration, integer, reference, text, time } from '@campus/engine/rest/declare/fields/columns'
import { sqlInteger } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many, one } from '@campus/engine/rest/declare/fields/embeds'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { column, sql } from '@campus/engine/rest/declare/sql'
import { role } from './access.ts'
import * as joins from './join-tables.ts'

const tutor = role('Basic Tutor')
const optional = { nullable: true } as const

export const scales = resource({
  name: 'scales',
  summary: 'What a corrector goes through with a team, how long it takes, and how many times a team goes through it.',
  fields: {
    id: integer(),
    evaluation_id: reference('evaluations', { required: true }),
    name: text({ max: 255, required: true }),
    is_primary: described('whether it is the one that is used where none is named', boolean()),
    comment: described('what staff note about it', text(optional)),
    introduction_md: described('what correctors read first, in Markdown', text(optional)),
    disclaimer_md: described('what both sides must heed, in Markdown', text(optional)),
    guidelines_md: described('how to evaluate, in Markdown', text(optional)),
    created_at: time(),
    correction_number: described('how many evaluations a team needs', integer({ min: 0, max: 100 })),
    duration: described(
      'how long an evaluation takes, in seconds; written in quarters of an hour, or in seconds where that is more than 96',
      duration(),
    ),
    manual_subscription: described('whether teams book evaluations themselves', boolean()),
    is_external: described('whether people from outside evaluate', boolean()),
    free: described('whether it costs no evaluation points', boolean()),
    languages: described(
      'languages that it is written in',
      many('languages', 'record', { through: joins.scalesLanguages }),
    ),
    flags: described('verdicts that a corrector may give', many('flags', 'record', { through: joins.scalesFlags })),
    sections: described('its parts, with their questions', many('sections', 'record', { order: 'position' })),
    evaluation: one('evaluations', 'embedded'),
    updated_at: time({ hidden: true }),
  },
  webhook: {
    embedded: {
      id: integer(),
      correction_number: integer(),
      duration: described(
        'how long an evaluation takes, in quarters of an hour',
        sqlInteger(sql`${column('duration')} / 900`),
      ),
    },
  },
  representations: {
    /** Fields of a scale that its evaluations embed (spec: answers 18). */
    embedded: { except: ['sections', 'evaluation'] },
    in_session: ['id', 'correction_number', 'is_primary'],
  },
  index: { defaultSort: ['name', '-id'] },
  parents: [under('project_sessions', { by: throughRecord('evaluations', 'evaluation_id', 'project_session_id') })],
  payload: {
    immutableWhile: { evaluation_id: [[{ table: 'scale_teams', by: 'scale_id' }]] },
    nested: { sections_attributes: { resource: 'sections' } },
    links: {
      flag_ids: joins.scalesFlags,
      language_ids: joins.scalesLanguages,
    },
  },
  dependents: { deleted: ['scales_flags.scale_id', 'scales_languages.scale_id', 'sections.scale_id'] },
  actions: permit({ read: tutor, write: tutor }),
})
