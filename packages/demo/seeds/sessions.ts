import { defined } from '@campus/engine/base/defined'
import { PROJECTS, type Project } from './curriculum.ts'
import { CORE, ENTRY_POOL } from './school.ts'

/** The session of a project for its cursus, or for one campus. */
export type ProjectSession = {
  readonly id: number
  readonly project: Project
  readonly campusId: number | null
  readonly people: number
  /** Id of the upload that marks the work too, if any. */
  readonly uploadId: number | undefined
}

const RECIFE = 2
export const MINIMUM_MARK = 80
/** Ratio of the time after which a team is terminated to the days of its project. The deadline is at half of that time. */
export const TERMINATING_FACTOR = 4
/** Shares of the first and second skill in the experience that a project gives. */
export const SKILL_SHARES = [0.7, 0.3] as const
export const EVALUATION_MINUTES = 30

export const SESSIONS: readonly ProjectSession[] = layOutSessions()

/** Returns the session of a project for people of a campus. */
export function sessionOf(project: Project, campusId: number): ProjectSession {
  const sessions = sessionsByProject.get(project.id) ?? []
  return defined(sessions.find((session) => session.campusId === campusId) ?? sessions[0])
}

const sessionsByProject = Map.groupBy(SESSIONS, ({ project }) => project.id)

function layOutSessions(): ProjectSession[] {
  const everywhere = PROJECTS.map((project) => ({ project, campusId: null, people: project.people }))
  const inRecife = PROJECTS.filter(({ cursus, people }) => cursus === CORE && people === 2).map((project) => {
    return { project, campusId: RECIFE, people: 3 }
  })
  let uploads = 0
  return [...everywhere, ...inRecife].map((session, index) => {
    const hasUpload = session.project.cursus === ENTRY_POOL && session.project.corrections > 0
    if (hasUpload) uploads += 1
    return { id: index + 1, ...session, uploadId: hasUpload ? uploads : undefined }
  })
}
