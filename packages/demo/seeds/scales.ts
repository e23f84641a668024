import { defined } from '@campus/engine/base/defined'
import { withIds } from './bulk-insert.ts'
import { EVALUATION_MINUTES, SESSIONS } from './sessions.ts'
import type { Times } from './time.ts'
import type { World } from './world.ts'

const SECTIONS = ['Preliminaries', 'Mandatory part', 'Bonus']
const QUESTIONS = [
  ['The work is there', 'The repository holds what was asked for, and nothing else.', false],
  ['It does what it should', 'Try the usual cases, then the unusual ones.', true],
  ['The team can explain it', 'Ask each member about a part that another wrote.', true],
  ['It goes further', 'Only when everything before is perfect.', true],
] as const
const FLAGS = [1, 2, 3, 5, 6, 7, 8, 9]
const FRENCH_AND_ENGLISH = [1, 2]

/** With what and by what each session is evaluated. A scale has the id of its session. */
export async function seedScales(world: World, times: Times): Promise<void> {
  const evaluated = SESSIONS.filter(({ project }) => project.corrections > 0)
  const uploads = SESSIONS.filter(({ uploadId }) => uploadId !== undefined)
  const evaluations = [
    ...evaluated.map(({ id }) => ({ session: id, kind: 'scale' })),
    ...uploads.map(({ id }) => ({ session: id, kind: 'upload' })),
  ]
  await world.insert(
    'evaluations',
    evaluations.map(({ session, kind }, index) => ({
      id: index + 1,
      project_session_id: session,
      kind,
      position: kind === 'scale' ? 0 : 1,
      ...times,
    })),
  )
  await world.insert(
    'uploads',
    uploads.map(({ uploadId, project }, index) => ({
      id: defined(uploadId),
      evaluation_id: evaluated.length + index + 1,
      name: `${project.name} robot`,
      ...times,
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
      ...times,
    })),
  )
  const scaleIds = evaluated.map(({ id }) => id)
  await world.insert(
    'scales_flags',
    withIds(scaleIds.flatMap((scale_id) => FLAGS.map((flag_id) => ({ scale_id, flag_id })))),
  )
  await world.insert(
    'scales_languages',
    withIds(scaleIds.flatMap((scale_id) => FRENCH_AND_ENGLISH.map((language_id) => ({ scale_id, language_id })))),
  )
  await insertQuestions(world, scaleIds, times)
}

async function insertQuestions(world: World, scaleIds: readonly number[], times: Times): Promise<void> {
  const sections = scaleIds.flatMap((id) => SECTIONS.map((name, position) => ({ scale_id: id, name, position })))
  await world.insert(
    'sections',
    sections.map((section, index) => ({ id: index + 1, ...section, ...times })),
  )
  const questions = sections.flatMap(({ position }, section) => {
    const asked = position === 1 ? QUESTIONS.slice(1, 3) : QUESTIONS.slice(position === 0 ? 0 : 3).slice(0, 1)
    return asked.map(([name, guidelines, rating], place) => ({
      section_id: section + 1,
      name,
      guidelines,
      rating,
      position: place,
    }))
  })
  await world.insert(
    'questions',
    questions.map((question, index) => ({ id: index + 1, ...question, ...times })),
  )
}
