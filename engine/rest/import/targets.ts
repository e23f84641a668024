import { message, verbatim } from '../../base/languages/say.ts'
import { nearest } from '../../base/text/nearest.ts'
import { normalForm } from '../../base/text/normal-form.ts'
import type { Resource } from '../declare/declaration.ts'
import type { Column } from '../declare/fields/field.ts'
import type { Registry } from '../declare/registry.ts'
import { CHOSEN_ID, takesChosenIds } from '../write/chosen-ids.ts'
import type { Mapping, Target } from './mapping.ts'
import { UnreadableFile } from './row.ts'

/** A field of a payload. Without a column it takes lists of records or ids. */
export type ImportField = { readonly column: Column | undefined; readonly references: Resource | undefined }

export function importFields(registry: Registry, resource: Resource): ReadonlyMap<string, ImportField> {
  const { accepts = [], extra = {}, nested = {}, pointed = {}, links = {} } = resource.payload ?? {}
  const columns = [
    ...accepts.map((name) => [name, resource.stored(name)] as const),
    ...Object.entries(extra).filter(([, { ignored }]) => !ignored),
  ]
  const parts = Object.keys({ ...nested, ...pointed, ...links })
  const chosen = [['id', { column: CHOSEN_ID, references: undefined }] as const]
  return new Map<string, ImportField>([
    ...columns.map(([name, column]) => [name, { column, references: referred(registry, name, column) }] as const),
    ...parts.map((name) => [name, { column: undefined, references: undefined }] as const),
    ...(takesChosenIds(resource) ? chosen : []),
  ])
}

/** Returns the resource that a field refers to. A parameter refers to a resource by its name, such as `shelf_id`. */
function referred(registry: Registry, name: string, column: Column | undefined): Resource | undefined {
  if (column?.references !== undefined) return registry.get(column.references)
  return registry.resources.find(({ singular }) => name === `${singular}_id`)
}

export function takesJson(field: ImportField | undefined): boolean {
  const { type } = kindOf(field)?.schema ?? { type: 'array' }
  return [type].flat().some((name) => name === 'array' || name === 'object')
}

export const takesTime = (field: ImportField | undefined): boolean => kindOf(field)?.sqlType === 'timestamptz'

const kindOf = (field: ImportField | undefined) => field?.column?.storing?.kind ?? field?.column?.kind

/** Proposes a mapping by the names of the columns, with `mayGuess` also of misspelt ones. Unknown columns are null. */
export function proposeMapping(
  registry: Registry,
  resource: Resource,
  columns: readonly string[],
  { mayGuess }: { readonly mayGuess: boolean },
): Mapping {
  const fields = importFields(registry, resource)
  const taken = new Set<string>()
  const propose = (column: string, find: (column: string) => Target | undefined): Target | null => {
    const target = find(column)
    if (!target || taken.has(target.field)) return null
    // Proposes no column for `id`, since every export has one. A mapping or `--own-ids` chooses ids.
    if (target.field === 'id' && takesChosenIds(resource)) return null
    // The column holds an object, such as a picture, but the field takes a text.
    const hasParts = columns.some((other) => other.startsWith(`${column}.`))
    if (hasParts && !takesJson(fields.get(target.field))) return null
    taken.add(target.field)
    return target
  }
  const exact = new Map(columns.map((column) => [column, propose(column, (name) => named(fields, name))]))
  const found = columns.map((column) => [
    column,
    exact.get(column) ?? propose(column, (name) => near(fields, name, mayGuess, resource.payload?.alsoCalled)),
  ])
  return { columns: Object.fromEntries(found), constants: {} }
}

type Fields = ReadonlyMap<string, ImportField>

function named(fields: Fields, column: string): Target | undefined {
  if (fields.has(column)) return { field: column }
  // Exports have columns such as `user.login` and `user.id`.
  const [, one = '', by = ''] = /^(\w+)\.(\w+)$/.exec(column) ?? []
  const field = fields.get(`${one}_id`)
  if (!field?.references || (by !== 'id' && by !== field.references.identifiedBy)) return undefined
  return by === 'id' ? { field: `${one}_id` } : { field: `${one}_id`, by }
}

type OtherNames = Readonly<Partial<Record<string, readonly string[]>>>

function near(fields: Fields, column: string, mayGuess: boolean, alsoCalled: OtherNames = {}): Target | undefined {
  const plain = normalForm(column, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9?]+/g, '_')
    .replace(/^_+|_+$/g, '')
  if (fields.has(plain)) return { field: plain }
  const [other] = Object.entries(alsoCalled).find(([, names]) => names?.includes(plain)) ?? []
  if (other !== undefined) return { field: other }
  if (fields.get(`${plain}_id`)?.references) return { field: `${plain}_id` }
  for (const [name, { references }] of fields) {
    const { identifiedBy } = references ?? {}
    if (identifiedBy && plain === `${name.replace(/_id$/, '')}_${identifiedBy}`)
      return { field: name, by: identifiedBy }
  }
  const field = mayGuess && plain.length > 3 ? nearest(plain, fields.keys()) : undefined
  return field === undefined ? undefined : { field }
}

/** Refuses columns that are neither a field nor shown in records, since they may be misspelt. Throws UnreadableFile. */
export function requireKnown(
  registry: Registry,
  resource: Resource,
  { columns }: Mapping,
  isShown: (column: string) => boolean,
): void {
  const unknown = Object.keys(columns).filter((column) => columns[column] === null && !isShown(column))
  if (unknown.length === 0) return
  const fields = [...importFields(registry, resource).keys()]
  const listed = unknown.slice(0, MAX_LISTED).map((column) => {
    const hint = nearest(column, fields)
    return JSON.stringify(column.slice(0, 80)) + (hint === undefined ? '' : ` (did you mean "${hint}"?)`)
  })
  throw new UnreadableFile(
    verbatim(
      `No field of ${resource.name} is called ${listed.join(', ')}. A mapping says what they are, or leaves them out; --dry-run proposes one.`,
    ),
  )
}

const MAX_LISTED = 20

export function checkMapping(registry: Registry, resource: Resource, { columns, constants }: Mapping): void {
  const fields = importFields(registry, resource)
  const targets = Object.entries(columns).flatMap(([column, to]) => (to ? [[column, to] as const] : []))
  const names = [...targets.map(([, { field }]) => field), ...Object.keys(constants)]
  for (const name of names) {
    if (!fields.has(name)) {
      const hint = nearest(name, fields.keys())
      const near = hint === undefined ? '' : ` Did you mean "${hint}"?`
      throw new UnreadableFile(
        verbatim(`${resource.name} take no field ${name}; they take ${[...fields.keys()].join(', ')}.${near}`),
      )
    }
  }
  const double = names.find((name, at) => names.indexOf(name) < at)
  if (double !== undefined) throw new UnreadableFile(message('The mapping fills {field} twice.', { field: double }))
  for (const [, { field, by }] of targets) {
    const target = fields.get(field)?.references
    const ways = target ? waysToName(target) : []
    if (by !== undefined && !ways.includes(by)) {
      const what = target ? `goes by ${ways.join(', ')}` : 'is the id of no other record'
      throw new UnreadableFile(verbatim(`${field} ${what}; the mapping says ${JSON.stringify(by)}.`))
    }
  }
}

/** Returns the fields by which a cell may name a record: the id, a text, or the key of its import. */
export function waysToName({ identifiedBy, index, stored }: Resource): readonly string[] {
  const { filter = index.sort } = index
  const texts = filter.filter((name) => stored(name)?.kind.sqlType === 'text')
  return [...new Set(['id', ...(identifiedBy ? [identifiedBy] : []), ...texts, 'key'])]
}
