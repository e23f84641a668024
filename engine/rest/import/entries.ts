import { defined } from '../../base/defined.ts'
import { filled, type Message, message } from '../../base/languages/say.ts'
import type { FieldErrors } from '../../errors.ts'
import { excessOfJson } from '../../http/body-limits.ts'
import { isParams } from '../../http/params.ts'
import type { Resource } from '../declare/declaration.ts'
import { isTimeText, withTimeZone } from '../declare/fields/kinds.ts'
import type { Registry } from '../declare/registry.ts'
import { parseExactJson } from './exact-json.ts'
import type { Mapping } from './mapping.ts'
import type { Fault, Row } from './row.ts'
import { type ImportField, importFields, takesJson, takesTime } from './targets.ts'

export type Entry = {
  readonly line: number
  readonly sent: Record<string, unknown>
  readonly faults: Fault[]
  readonly key: string | undefined
  id: number | undefined
}

/** A column, or constant if null, whose values name records of `target` by the field `by`. */
export type ReferenceColumn = {
  readonly column: string | null
  readonly field: string
  readonly by: string | undefined
  readonly target: Resource
}

type RowOptions = {
  readonly key: string | undefined
  readonly hasOwnIds: boolean
  readonly timeZone: string
}

export class RowReader {
  readonly references: readonly ReferenceColumn[]
  readonly #mapping: Mapping
  readonly #key: string | undefined
  readonly #fields: ReadonlyMap<string, ImportField>
  readonly #columns: ReadonlyMap<string, string>
  readonly #timeZone: string

  constructor(registry: Registry, resource: Resource, mapping: Mapping, { key, hasOwnIds, timeZone }: RowOptions) {
    this.#mapping = mapping
    this.#key = key
    this.#timeZone = timeZone
    this.#fields = importFields(registry, resource)
    const mapped = Object.entries(mapping.columns).flatMap(([column, to]) => (to ? [{ column, ...to }] : []))
    const ids = hasOwnIds ? [['id', 'id'] as const] : []
    this.#columns = new Map([...ids, ...mapped.map(({ column, field }) => [field, column] as const)])
    const constants = Object.keys(mapping.constants).map((field) => ({ column: null, field, by: undefined }))
    this.references = [...constants, ...mapped].flatMap(({ column, field, by }) => {
      const target = this.#fields.get(field)?.references
      return target ? [{ column, field, by, target }] : []
    })
  }

  read({ line, cells, fault }: Row): Entry {
    const entry: Entry = {
      line,
      sent: Object.fromEntries(
        Object.entries(this.#mapping.constants).map(([field, value]) => [field, this.#zoned(field, value)]),
      ),
      faults: [],
      key: this.#keyOf(cells),
      id: undefined,
    }
    if (fault !== undefined) {
      entry.faults.push({ line, column: null, fault: filled(fault) })
      return entry
    }
    const wrongKey = this.#key === undefined ? undefined : faultOfKey(entry.key)
    if (wrongKey !== undefined) entry.faults.push({ line, column: defined(this.#key), fault: filled(wrongKey) })
    for (const [column, to] of Object.entries(this.#mapping.columns)) {
      if (!to || !Object.hasOwn(cells, column)) continue
      const cell = cells[column]
      const meant = to.values && typeof cell === 'string' && Object.hasOwn(to.values, cell) ? to.values[cell] : cell
      const json = this.#jsonOf(to.field, meant)
      const excess = json === undefined ? undefined : excessOfJson(Buffer.from(json))
      const wrong = excess ?? this.#faultOfTime(to.field, meant)
      if (wrong !== undefined) entry.faults.push({ line, column, fault: filled(wrong) })
      else entry.sent[to.field] = sentValue(this.#zoned(to.field, meant), json)
    }
    return entry
  }

  faultsOf(line: number, errors: FieldErrors): Fault[] {
    return Object.entries(errors).flatMap(([path, texts]) => {
      const field = defined(path.split(/[[.]/, 1)[0])
      const column = this.#columns.get(field)
      const isPlaced = path === (column === undefined ? 'base' : field)
      return texts.map((text) => ({
        line,
        column: column ?? null,
        fault: isPlaced ? filled(text) : message('{field} {fault}', { field: path, fault: filled(text) }),
      }))
    })
  }

  #keyOf(cells: Row['cells']): string | undefined {
    const cell = this.#key === undefined ? undefined : cells[this.#key]
    const text = typeof cell === 'string' || typeof cell === 'number' ? String(cell).trim() : ''
    return text === '' ? undefined : text
  }

  #zoned(field: string, value: unknown): unknown {
    return typeof value === 'string' && takesTime(this.#fields.get(field)) ? withTimeZone(value, this.#timeZone) : value
  }

  #faultOfTime(field: string, value: unknown): Message | undefined {
    if (typeof value !== 'string' || value.trim() === '' || !takesTime(this.#fields.get(field))) return undefined
    return isTimeText(value) ? undefined : 'is not a time such as 2017-11-25 13:43'
  }

  #jsonOf(field: string, cell: unknown): string | undefined {
    return typeof cell === 'string' && /^\s*[[{]/.test(cell) && takesJson(this.#fields.get(field)) ? cell : undefined
  }
}

/** Parses JSON. The field refuses text that is not JSON. */
function sentValue(cell: unknown, json: string | undefined): unknown {
  if (json === undefined) return isEmptyObject(cell) ? null : cell
  try {
    return parseExactJson(json)
  } catch {
    return cell
  }
}

const MAX_KEY = 255

function faultOfKey(key: string | undefined): Message | undefined {
  if (key === undefined) return "can't be blank: it is the key by which the record is known again"
  if ([...key].length > MAX_KEY)
    return message('is too long for a key (maximum is {most} characters)', { most: MAX_KEY })
  return key.includes('\0') || !key.isWellFormed() ? 'must not contain a null character or half a letter' : undefined
}

const isEmptyObject = (cell: unknown) => isParams(cell) && Object.keys(cell).length === 0
