import { defined } from '@campus/engine/base/defined'
import { PROJECTS, type Project } from './curriculum.ts'
import { CORE, ENTRY_POOL } from './school.ts'

/** One way of doing a project: in its cursus, or at one campus of it. */
export type ProjectSession = {
  readonly id: number
  readonly project: Project
  readonly campusId: number | null
  readonly people: number
  /** The upload that marks the work too, where there is one. */
  readonly uploadId: number | undefined
}

const RECIFE = 2
/** Of every session. */
export const MINIMUM_MARK = 80
/** A team is ended when it has taken so many times the days of its project, and should be done in half of that. */
export const TERMINATING_FACTOR = 4
/** The parts of what a project earns that go to its first and to its second skill. */
export const SKILL_SHARES = [0.7, 0.3] as const
/** Of every evaluation; as long as it is booked for. */
export const EVALUATION_MINUTES = 30

/** A scale has the id of its session. */
export const SESSIONS: readonly ProjectSession[] = layOutSessions()

/** The session of a project for people of a campus. */
export function sessionOf(project: Project, campusId: number): ProjectSession {
  const sessions = sessionsByProject.get(project.id) ?? []
  return defined(sessions.find((session) => session.campusId === campusId) ?? sessions[0])
}

const sessionsByProject = Map.groupBy(SESSIONS, ({ project }) => project.id)

function layOutSessions(): ProjectSession[] {
  const everywhere = PROJECTS.map((project) => ({ project, campusId: null, people: project.people }))
  const inRecife = PROJECTS.filter(({ cursus, people }) => cursus === CORE && people === 2).map((project) => ({
    project,
    campusId: RECIFE,
    people: 3,
  }))
  let uploads = 0
  return [...everywhere, ...inRecife].map((session, index) => {
    const hasUpload = session.project.cursus === ENTRY_POOL && session.project.corrections > 0
    if (hasUpload) uploads += 1
    return { id: index + 1, ...session, uploadId: hasUpload ? uploads : undefined }
  })
}
