import { verbatim } from '../../base/languages/say.ts'
import { isRecord } from '../../base/narrow.ts'
import { UnreadableFile } from './row.ts'

export type Target = {
  readonly field: string
  /** Field by which cells name another record: a slug, a login, a name, or `key`, its key in an import. */
  readonly by?: string
  /** Meaning of the cells' texts, by text. */
  readonly values?: Readonly<Record<string, unknown>>
}

export type Mapping = {
  /** Targets by column. Null leaves a column out. */
  readonly columns: Readonly<Record<string, Target | null>>
  readonly constants: Readonly<Record<string, unknown>>
}

type Written = {
  readonly columns?: Readonly<Record<string, string | Target | null>>
  readonly constants?: Mapping['constants']
}

/** Reads `{"columns": {"Mail": "email", "Shelf": {"field": "shelf_id", "by": "slug"}}}`. Throws UnreadableFile. */
export function readMapping(text: string): Mapping {
  const { columns, constants = {}, ...more } = parsed(text)
  const [unknown] = Object.keys(more)
  if (unknown !== undefined)
    throw new UnreadableFile(verbatim(`A mapping has columns and constants, and no ${unknown}.`))
  if (!isRecord(columns) || !isRecord(constants))
    throw new UnreadableFile(verbatim('A mapping needs columns: {"column": "field"}.'))
  return {
    constants,
    columns: Object.fromEntries(Object.entries(columns).map(([name, to]) => [name, readTarget(name, to)])),
  }
}

export const writtenMapping = ({ columns, constants }: Mapping): Written => ({
  columns: Object.fromEntries(
    Object.entries(columns).map(([name, to]) => [name, to && to.by === undefined && !to.values ? to.field : to]),
  ),
  ...(Object.keys(constants).length > 0 ? { constants } : {}),
})

function parsed(text: string): Written {
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch {
    // Reported below.
  }
  throw new UnreadableFile(verbatim('The mapping must be an object as JSON: {"columns": {"column": "field"}}.'))
}

function readTarget(column: string, to: unknown): Target | null {
  if (to === null) return null
  if (typeof to === 'string') return { field: to }
  const { field, by, values = {}, ...more } = isRecord(to) ? to : {}
  const isRight = isRecord(values) && Object.keys(more).length === 0
  if (isRight && typeof field === 'string' && (by === undefined || typeof by === 'string'))
    return { field, ...(by === undefined ? {} : { by }), ...(isRecord(to) && to.values ? { values } : {}) }
  throw new UnreadableFile(
    verbatim(
      `The mapping of ${JSON.stringify(column)} must be a field, null, or an object with field and perhaps by and values.`,
    ),
  )
}
