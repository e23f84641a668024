import { embeddedOnly } from '@campus/engine/rest/declare/declaration'
import { boolean, float, integer, reference, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many } from '@campus/engine/rest/declare/fields/embeds'
import { resource } from '@campus/engine/rest/declare/resource'

const unseen = { hidden: true } as const

export const sections = resource({
  name: 'sections',
  summary: 'A part of a scale.',
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    description: described('what the part is about', text({ nullable: true })),
    questions: described('what the corrector answers', many('questions', 'record', { order: 'position' })),
    scale_id: reference('scales', { ...unseen, required: true }),
    position: described('place in the scale, lowest first', integer({ min: 0, ...unseen })),
    ...timestamps(unseen),
  },
  payload: {
    nested: { questions_attributes: { resource: 'questions' } },
  },
  dependents: { deleted: ['questions.section_id'] },
  actions: embeddedOnly,
})

export const questions = resource({
  name: 'questions',
  summary: 'A question of a scale, answered by a rating or by yes and no.',
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    guidelines: described('how to answer it', text({ nullable: true })),
    rating: described('whether it is answered by a number, not by yes or no', boolean()),
    kind: described('what sort of question it is, such as `standard`', text({ max: 255 })),
    questions_skills: described(
      'how much it says about each skill',
      many('questions_skills', 'record', { order: 'skill_id' }),
    ),
    section_id: reference('sections', { ...unseen, required: true }),
    position: described('place in its section, lowest first', integer({ min: 0, ...unseen })),
    ...timestamps(unseen),
  },
  representations: { embedded: ['id', 'name', 'guidelines', 'rating', 'kind'] },
  payload: {
    nested: { questions_skills_attributes: { resource: 'questions_skills' } },
  },
  dependents: { deleted: ['questions_skills.question_id'] },
  actions: embeddedOnly,
})

export const questionsSkills = resource({
  name: 'questions_skills',
  summary: 'How much a question of a scale says about a skill.',
  fields: {
    id: integer(),
    question_id: reference('questions', { required: true }),
    skill_id: reference('skills', { required: true }),
    percentage: described('weight of the question for the skill, in percent', float({ min: 0, max: 100 })),
    ...timestamps(),
  },
  payload: {},
  actions: embeddedOnly,
})
