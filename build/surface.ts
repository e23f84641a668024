import type { OpenapiDocument } from '@campus/engine/rest/openapi/document'
import { GeneratorError } from './generated-files.ts'

type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}
type Content = { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }
type Operation = {
  readonly operationId: string
  readonly 'x-access': string
  readonly parameters?: readonly ({ readonly $ref: string } | { readonly name: string; readonly in: string })[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, { readonly $ref?: string } & Content>>
}
type Parameter = { readonly name: string; readonly in: string; readonly required?: boolean; readonly schema: Schema }

/** Returns the content of `surface.txt`. Throws GeneratorError if the changelog does not name what the present content loses. */
export function surfaceText(document: OpenapiDocument, present: string, changelog: string): string {
  const declared = surfaceOf(document)
  const { unexplained } = surfaceChange(present.split('\n').filter(Boolean), declared, changelog)
  if (unexplained.length > 0)
    throw new GeneratorError(
      `Clients can no longer rely on these; name each in CHANGELOG.md where that is meant:\n${unexplained.join('\n')}`,
    )
  return `${declared.join('\n')}\n`
}

/**
 * Returns a line for each operation, webhook, parameter and field of the document, in alphabetical order. Omits
 * descriptions, and JSON:API, which follows from the plain fields.
 */
function surfaceOf({ paths, webhooks, components }: OpenapiDocument): readonly string[] {
  const { parameters, responses, schemas } = components as unknown as {
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, Content>>
    readonly schemas: Readonly<Record<string, Schema>>
  }
  const lines = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, part]) =>
      'responses' in part ? operationLines(`${method.toUpperCase()} ${path}`, part as unknown as Operation) : [],
    ),
  )
  for (const [name, { post }] of Object.entries(webhooks))
    for (const event of Object.keys(Object(post)['x-events'])) lines.push(`webhook ${name}: ${event}`)
  for (const [name, { name: field, in: place, required, schema }] of Object.entries(parameters))
    lines.push(`parameter ${name}: ${place} ${field}${required ? ' required' : ''} ${typeOf(schema)}`)
  for (const [name, schema] of Object.entries(schemas))
    if (!name.startsWith('JsonApi')) lines.push(...fieldLines(`field ${name}`, schema))
  return [...new Set(lines)].sort()

  function operationLines(place: string, operation: Operation): string[] {
    const groups = (operation.parameters ?? []).map((one) =>
      '$ref' in one ? nameOf(one.$ref).replace(/^(\w+\.(filter|range|search))\..*/, '$1.*') : `${one.in} ${one.name}`,
    )
    const body = jsonOf(operation.requestBody)
    const taken = [...new Set(groups), ...(body ? [typeOf(body)] : [])]
    const answers = Object.entries(operation.responses).flatMap(([status, response]) => {
      const schema = jsonOf(response.$ref ? responses[nameOf(response.$ref)] : response)
      return Number(status) < 300 ? [`${status}${schema ? ` ${typeOf(schema)}` : ''}`] : []
    })
    const given = `${place} (${taken.join(', ')}): ${answers.join(', ')}`
    return [`operation ${operation.operationId} ${given}; needs ${operation['x-access']}`]
  }
}

function fieldLines(path: string, schema: Schema): string[] {
  const within = schema.type === 'array' ? fieldLines(`${path}[]`, schema.items ?? {}) : []
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    `${path}.${name}: ${typeOf(field)}${schema.required?.includes(name) ? '' : ' optional'}`,
    ...fieldLines(`${path}.${name}`, field),
  ])
  return [...within, ...fields]
}

function typeOf(schema: Schema): string {
  if (schema.$ref) return nameOf(schema.$ref)
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
  const values = schema.const === undefined ? schema.enum : [schema.const]
  // A list is sorted both ways by each of its fields.
  if (values)
    return values
      .filter((value) => !String(value).startsWith('-'))
      .map((value) => JSON.stringify(value))
      .join(' | ')
  const types = [schema.type ?? 'any'].flat()
  return types.map((type) => (type === 'array' ? `[${typeOf(schema.items ?? {})}]` : type)).join(' | ')
}

const nameOf = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1)

const jsonOf = (part: Content | undefined) => part?.content?.['application/json']?.schema

/** Returns the differences between the surface in the repository and the declared surface. */
export type SurfaceChange = {
  readonly added: readonly string[]
  /** Lines that are gone although the changelog of the version to come does not name them. */
  readonly unexplained: readonly string[]
}

/**
 * Compares the recorded surface with the declared one. A line that disappeared or changed breaks programs, so the changelog
 * must name its subject in backticks, such as `listUsers`, `users.filter.id` or `user_short.email`. If an operation has
 * gained only a new optional parameter, it suffices that the changelog names the parameter.
 */
export function surfaceChange(
  recorded: readonly string[],
  declared: readonly string[],
  changelog: string,
): SurfaceChange {
  const [, latest = ''] = changelog.split(/^## /m)
  const isExplained = (name: string) => latest.includes(`\`${name}\``)
  const before = new Set(recorded)
  const added = declared.filter((line) => !before.has(line))
  const newParameters = added
    .filter((line) => line.startsWith('parameter ') && !line.includes(' required '))
    .map(subjectOf)
    .filter(isExplained)
  const after = new Set([...declared, ...declared.map((line) => newParameters.reduce(withoutParameter, line))])
  return { added, unexplained: recorded.filter((line) => !after.has(line) && !isExplained(subjectOf(line))) }
}

const withoutParameter = (line: string, name: string) =>
  line.replace(`, ${name}`, '').replace(`(${name}, `, '(').replace(`(${name})`, '()')

const subjectOf = (line: string) => (line.split(' ')[1] as string).replace(/:$/, '')
