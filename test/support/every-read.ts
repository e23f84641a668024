/** A parameter of an operation in the OpenAPI document. */
type Parameter = { readonly name: string; readonly in: string; readonly schema?: Schema; readonly $ref?: string }
type Schema = {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly items?: Schema
}
type Document = {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: readonly Parameter[] } }>>
}

// biome-ignore lint/suspicious/noExplicitAny: records of every resource
export type Ask = (path: string) => Promise<any>

/** Families whose name for one is not the name for many without its last letter. */
const PLURALS: Readonly<Record<string, string>> = {
  campus: 'campus',
  close: 'closes',
  cursus: 'cursus',
  dash: 'dashes',
  project_data: 'project_data',
  quest: 'quests',
}

/**
 * Every read that the OpenAPI document offers: each address once, and each list also in every order, and with each filter, range and search
 * by the values of a record that it shows. Records in paths are the first of their lists.
 */
export async function readsOf(document: Document, ask: Ask): Promise<readonly string[]> {
  const shown = new Map<string, Readonly<Record<string, unknown>> | undefined>()
  const firstOf = async (family: string) => {
    if (!shown.has(family)) shown.set(family, recordIn(await ask(`/v2/${family}?per_page=1`)))
    return shown.get(family)
  }
  const idOf = async (family: string) => String((await firstOf(family))?.id ?? 1)
  const reads: string[] = []
  for (const [template, { get }] of Object.entries(document.paths)) {
    if (!get || !template.startsWith('/v2/') || template.includes('openapi')) continue
    const path = await fill(template, idOf)
    const parameters = (get.parameters ?? []).map((parameter) => resolved(document, parameter))
    const required = parameters.flatMap(({ name, in: place, ...rest }) =>
      place === 'query' && 'required' in rest && rest.required
        ? [`${name}=${valueFor(name, rest.schema, undefined)}`]
        : [],
    )
    const withQuery = (...query: string[]) =>
      [path, [...required, ...query].join('&')].filter((part) => part !== '').join('?')
    reads.push(withQuery())
    const isList = parameters.some(({ name }) => name === 'sort')
    if (!isList || template.includes('{')) continue
    const record = recordIn(await ask(withQuery('per_page=1')))
    reads.push(...parameters.flatMap((parameter) => queriesOf(parameter, record)).map((query) => withQuery(query)))
  }
  return reads
}

async function fill(template: string, idOf: (family: string) => Promise<string>): Promise<string> {
  let path = template
  for (const [place, name = ''] of template.matchAll(/\{(\w+)\}/g)) {
    const before = template.slice(0, template.indexOf(place)).split('/').at(-2) ?? ''
    path = path.replace(place, await wordFor(name, before))
  }
  return path

  async function wordFor(name: string, before: string): Promise<string> {
    if (name === 'id') return idOf(before)
    if (name === 'field') return template.includes('locations') ? 'begin_at' : 'created_at'
    if (name === 'interval') return 'day'
    const one = name.replace(/_id$/, '')
    return idOf(PLURALS[one] ?? `${one}s`)
  }
}

/** One address for each word that the parameter takes. */
function queriesOf(
  { name, in: place, schema }: Parameter,
  record: Readonly<Record<string, unknown>> | undefined,
): string[] {
  if (place !== 'query') return []
  if (name === 'sort') return orders(schema).map((order) => `sort=${order}`)
  const [, kind, field] = /^(filter|range|search)\[(\w+\??)\]$/.exec(name) ?? []
  if (!kind || !field) return []
  const value = encodeURIComponent(valueFor(field, schema, record))
  if (kind === 'search') return [`${name}=${value.slice(0, 3)}`, `${name}=zqxj`]
  if (kind === 'range') return [`${name}=${value},${value}`, `${name}=${value},`]
  return schema?.type === 'boolean' || schema?.items?.type === 'boolean'
    ? [`${name}=true`, `${name}=false`]
    : [`${name}=${value}`]
}

function orders(schema: Schema | undefined): readonly string[] {
  const { items = schema } = schema ?? {}
  const names = new Set((items?.enum ?? []).map((word) => word.replace(/^-/, '')))
  return [...names].flatMap((name) => [name, `-${name}`])
}

function valueFor(
  field: string,
  schema: Schema | undefined,
  record: Readonly<Record<string, unknown>> | undefined,
): string {
  const shown = record?.[field]
  if (typeof shown === 'string' || typeof shown === 'number' || typeof shown === 'boolean') return String(shown)
  const { type, format, enum: words } = schema?.items ?? schema ?? {}
  if (words?.[0]) return words[0]
  if (type === 'integer' || type === 'number') return '1'
  if (type === 'boolean') return 'true'
  return format === 'date-time' || format === 'date' ? '2026-01-01' : 'an'
}

function recordIn(answer: unknown): Readonly<Record<string, unknown>> | undefined {
  const [first] = Array.isArray(answer) ? answer : []
  if (typeof first !== 'object' || first === null) return undefined
  // Some records are wrapped in the name of their resource.
  return 'id' in first ? first : (Object.values(first)[0] as Readonly<Record<string, unknown>>)
}

function resolved(document: Document, parameter: Parameter): Parameter {
  if (!parameter.$ref) return parameter
  const keys = parameter.$ref.split('/').slice(1)
  return keys.reduce<unknown>((at, key) => (at as Readonly<Record<string, unknown>>)[key], document) as Parameter
}
