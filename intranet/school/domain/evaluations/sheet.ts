import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'

/** Rated with stars, or answered with yes or no. */
export type SheetQuestion = {
  readonly id: number
  readonly name: string
  readonly guidelines: string | null
  readonly rating: boolean
}

export type SheetSection = {
  readonly name: string
  readonly description: string | null
  readonly questions: readonly SheetQuestion[]
}

export async function sheetOf({ kysely }: Pick<Handle, 'kysely'>, scaleId: number): Promise<SheetSection[]> {
  const { rows } = await sql<SheetQuestion & { section_id: number; section: string; description: string | null }>`
    select s.id as section_id, s.name as section, s.description, q.id, q.name, q.guidelines, q.rating
    from sections s join questions q on q.section_id = s.id
    where s.scale_id = ${scaleId} order by s.position, s.id, q.position, q.id`.execute(kysely)
  return [...Map.groupBy(rows, ({ section_id }) => section_id).values()].map((questions) => ({
    name: questions[0]?.section ?? '',
    description: questions[0]?.description ?? null,
    questions: questions.map(({ id, name, guidelines, rating }) => ({ id, name, guidelines, rating })),
  }))
}
