import { verbatim } from '../../base/languages/say.ts'
import { isRecord } from '../../base/narrow.ts'
import { UnreadableFile } from './row.ts'

/** What a column of a file says of a record. */
export type Target = {
  readonly field: string
  /** The field is the id of another record, and the column holds this of it: a slug, a login, a name, or `key`, under which it was imported. */
  readonly by?: string
  /** What stands in the column → what is meant. */
  readonly values?: Readonly<Record<string, unknown>>
}

/** How the columns of a file become the fields of records. */
export type Mapping = {
  /** Column → what it says; null for one that is left out. */
  readonly columns: Readonly<Record<string, Target | null>>
  /** Fields that every record has. */
  readonly constants: Readonly<Record<string, unknown>>
}

type Written = {
  readonly columns?: Readonly<Record<string, string | Target | null>>
  readonly constants?: Mapping['constants']
}

/** Reads a mapping as people write it: `{"columns": {"Mail": "email", "Shelf": {"field": "shelf_id", "by": "slug"}}}`. Throws UnreadableFile. */
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

/** A mapping as it may be written, and read again. */
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
