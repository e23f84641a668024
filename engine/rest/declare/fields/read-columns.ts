import type { Field, ReadColumns } from './field.ts'
import { WrongValue } from './kinds.ts'

/** Converts the shown value of a field to values of columns. Throws WrongValue. */
export function readColumns(
  name: string,
  { stored, readColumns: readOwn, guard }: Field,
  value: unknown,
  record: Readonly<Record<string, unknown>>,
): ReadColumns {
  // A guard may show null or `invisible`.
  if (value === undefined || (guard && (value === null || value === 'invisible'))) return {}
  if (readOwn) return requireTexts(readOwn(value, record))
  if (!stored) return {}
  const column = stored.column ?? name
  if (value === null || value === '') return { [column]: value }
  const { kind } = stored
  const read = kind.readMirrored ? kind.readMirrored(value) : kind.read(value)
  if (read === null) throw new WrongValue('cannot be kept')
  return { [column]: read }
}

/** Refuses texts that PostgreSQL cannot store. */
function requireTexts(columns: ReadColumns): ReadColumns {
  const isFit = (value: unknown) => typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'))
  if (Object.values(columns).every(isFit)) return columns
  throw new WrongValue('is not text that can be kept')
}
