import { defined } from '@campus/engine/base/defined'
import { EVALUATION_MINUTES, SESSIONS } from './sessions.ts'
import type { World } from './world.ts'

const SECTIONS = ['Preliminaries', 'Mandatory part', 'Bonus']
/** Position of the section, name, guidelines, and whether the question has a rating. */
const QUESTIONS = [
  [0, 'The work is there', 'The repository holds what was asked for, and nothing else.', false],
  [1, 'It does what it should', 'Try the usual cases, then the unusual ones.', true],
  [1, 'The team can explain it', 'Ask each member about a part that another wrote.', true],
  [2, 'It goes further', 'Only when everything before is perfect.', true],
] as const
const FLAGS = [1, 2, 3, 5, 6, 7, 8, 9]
const FRENCH_AND_ENGLISH = [1, 2]

/** The evaluations of each session, by scales and uploads. A scale has the id of its session. */
export async function seedScales(world: World): Promise<void> {
  const evaluated = SESSIONS.filter(({ project }) => project.corrections > 0)
  const uploads = SESSIONS.filter(({ uploadId }) => uploadId !== undefined)
  const evaluations = [
    ...evaluated.map(({ id }) => ({ project_session_id: id, kind: 'scale', position: 0 })),
    ...uploads.map(({ id }) => ({ project_session_id: id, kind: 'upload', position: 1 })),
  ]
  await world.insert('evaluations', evaluations)
  await world.insert(
    'uploads',
    uploads.map(({ uploadId, project }, index) => ({
      id: defined(uploadId),
      evaluation_id: evaluated.length + index + 1,
      name: `${project.name} robot`,
    })),
  )
  await world.insert(
    'scales',
    evaluated.map(({ id, project }, index) => ({
      id,
      evaluation_id: index + 1,
      name: `${project.name} scale`,
      correction_number: project.corrections,
      introduction_md: 'Be **polite**, be on time, and look for what can be learnt.',
      guidelines_md: '* Only the work in the repository counts.\n* Talk about it before you mark it.',
      duration: EVALUATION_MINUTES * 60,
    })),
  )
  const flags = evaluated.flatMap(({ id }) => FLAGS.map((flag_id) => ({ scale_id: id, flag_id })))
  await world.insert('scales_flags', flags)
  const languages = evaluated.flatMap(({ id }) =>
    FRENCH_AND_ENGLISH.map((language_id) => ({ scale_id: id, language_id })),
  )
  await world.insert('scales_languages', languages)
  const sections = evaluated.flatMap(({ id }) => SECTIONS.map((name, position) => ({ scale_id: id, name, position })))
  await world.insert('sections', sections)
  const questions = sections.flatMap((section, index) =>
    QUESTIONS.filter(([of]) => of === section.position).map(([, name, guidelines, rating], position) => {
      return { section_id: index + 1, name, guidelines, rating, position }
    }),
  )
  await world.insert('questions', questions)
}
