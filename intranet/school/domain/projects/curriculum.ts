import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'

/** Without a place if staff did not put it on the map. */
export type CurriculumProject = {
  readonly id: number
  readonly name: string
  readonly exam: boolean
  readonly difficulty: number | null
  readonly place: Place | undefined
  /** Ids of the projects that lead to it. */
  readonly leads: readonly number[]
}

type Place = { readonly x: number; readonly y: number }

type Row = Pick<CurriculumProject, 'id' | 'name' | 'exam' | 'difficulty'> & {
  readonly coordinates: string | null
  readonly by: string | null
}

const MAX_PROJECTS = 500

/** Places come from sessions of the campus, else from sessions of all campuses (`project_data`). */
export async function curriculumOf(
  { kysely }: Pick<Handle, 'kysely'>,
  { cursusId, campusId }: { readonly cursusId: number; readonly campusId: number | null },
): Promise<CurriculumProject[]> {
  const { rows } = await sql<Row>`
    select p.id, p.name, p.exam, p.difficulty, drawn.coordinates, drawn.by
    from projects_cursus pc join projects p on p.id = pc.project_id
    left join lateral (
      select d.coordinates, d.by from project_sessions s join project_data d on d.project_session_id = s.id
      where s.project_id = p.id and (s.cursus_id is null or s.cursus_id = ${cursusId})
        and (s.campus_id is null or s.campus_id = ${campusId}::int)
      order by s.campus_id is null, s.cursus_id is null, d.id limit 1
    ) drawn on true
    where pc.cursus_id = ${cursusId} and p.visible order by p.position, p.id limit ${MAX_PROJECTS}`.execute(kysely)
  return rows.map(({ coordinates, by, ...project }) => ({
    ...project,
    place: placeIn(coordinates),
    leads: leadsIn(by),
  }))
}

/** Parses the JSON of `project_data`, which may hold no two numbers. */
function placeIn(coordinates: string | null): Place | undefined {
  const [x, y]: unknown[] = coordinates === null ? [] : JSON.parse(coordinates)
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : undefined
}

/** Lines begin with the id of a project. */
function leadsIn(by: string | null): readonly number[] {
  const lines: unknown[] = by === null ? [] : JSON.parse(by)
  return lines.flatMap((line) => (Array.isArray(line) && typeof line[0] === 'number' ? line[0] : []))
}
