import type { OpenapiDocument } from '@campus/engine/rest/openapi/document'
import { OF_EVERY_FIELD } from '@campus/engine/rest/openapi/list-parameters'
import { comment, key, nameOf, type Schema, typeWriter } from './type-writer.ts'

type Parameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}
type Content = { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }
type Reference = { readonly $ref: string }
type Described = {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Content | Reference>>
}

const HEADING = `// Made from the OpenAPI document by "npm run build -w campus-intranet-client"; changes here are lost.
import type {
  Answered, Changed, Compound, Created, Done, Filters, IdempotencyKey, IfMatch, IfNoneMatch, Operation, Paged, Prefer, Ranges, Sorted,
} from './operation.ts'
`

/** Parameter that all resources share → type that has it. */
const SHARED: Readonly<Record<string, string>> = {
  ...{ page: 'Paged', 'page.number': 'Paged', per_page: 'Paged', 'page.size': 'Paged' },
  ...{ include: 'Compound', fields: 'Compound' },
  ...{ 'If-Match': 'IfMatch', 'If-None-Match': 'IfNoneMatch', 'Idempotency-Key': 'IdempotencyKey', Prefer: 'Prefer' },
}

/** Statuses of success → type of the operation. */
const ANSWERS: Readonly<Record<string, string>> = { 200: 'Answered', 201: 'Created', '200,204': 'Changed', 204: 'Done' }

/**
 * Returns the types of an OpenAPI document as text: schemas, operations and paths. Omits error responses, since the
 * client throws them.
 */
export function typesOf(document: OpenapiDocument): string {
  const { schemas, parameters, responses } = document.components as unknown as {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, Content>>
  }
  const referred = new Set<string>()
  const write = typeWriter((name) => referred.add(name))
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const methods = Object.entries(item).filter(([, part]) => 'responses' in part)
    return [path, methods as unknown as readonly (readonly [string, Described])[]] as const
  })

  const operations = paths.flatMap(([, methods]) => methods.flatMap(([, described]) => operationLines(described)))
  const lists = Object.entries(Object.groupBy(Object.keys(parameters), (name) => name.split('.', 1)[0] as string))
  const selections = lists.flatMap(([resource, names = []]) => selectionLines(resource, names))
  const written: string[] = []
  // Referenced schemas are added to the set during the loop.
  for (const name of referred) written.push(...memberLines(name, schemas[name] as Schema, true))

  return [
    HEADING,
    'export interface paths {',
    ...paths.map(([path, methods]) => {
      const members = methods.map(([method, { operationId }]) => `${method}: operations['${operationId}']`)
      return `  ${key(path)}: { ${members.join('; ')} }`
    }),
    '}\n\nexport interface operations {',
    ...operations,
    '}\n\nexport interface components {\n  schemas: schemas\n}\n\nexport interface schemas {',
    ...written,
    '}\n',
    ...selections,
  ].join('\n')

  function operationLines({ operationId, summary, description, requestBody, ...described }: Described): string[] {
    const wanted = (described.parameters ?? []).map((one) =>
      '$ref' in one ? { part: nameOf(one.$ref), ...(parameters[nameOf(one.$ref)] as Parameter) } : { part: '', ...one },
    )
    const of = (place: string) => intersection(wanted.filter((one) => one.in === place))
    const body = jsonOf(requestBody)
    const succeeded = Object.entries(described.responses).filter(([status]) => status in ANSWERS)
    const [answer] = succeeded.flatMap(([, one]) => jsonOf('$ref' in one ? responses[nameOf(one.$ref)] : one) ?? [])
    const answers = ANSWERS[String(succeeded.map(([status]) => status))]
    const types = [
      ...[of('path'), of('query'), of('header')],
      body ? write(body, '  ') + (requestBody?.required ? '' : ' | undefined') : 'never',
      answers === 'Done' ? answers : `${answers}<${answer ? write(answer, '  ') : 'undefined'}>`,
    ]
    return [...comment(`${summary}. ${description}`, '  '), `  ${operationId}: Operation<${types.join(', ')}>`]
  }

  /** Returns the type of parameters: the name of a named type, other parameters inline. */
  function intersection(wanted: readonly (Parameter & { readonly part: string })[]): string {
    const named = wanted.flatMap(({ part }) => SHARED[part] ?? listOf(part) ?? [])
    const isList = named.some((name) => name.endsWith('_list'))
    const left = named.filter((name) => !isList || !OF_LISTS.test(name))
    const others = wanted.filter(({ part }) => !SHARED[part] && !listOf(part))
    const members = others.flatMap(({ name, ...one }) => memberLines(name, one.schema, one.required, one.description))
    const types = [...new Set(left), ...(members.length > 0 ? [['{', ...members, '  }'].join('\n')] : [])]
    return types.join(' & ') || 'never'
  }

  /** Lists of a resource have the same filters below each parent. */
  function selectionLines(resource: string, names: readonly string[]): string[] {
    const chosen = names.filter((name) => listOf(name)).map((name) => [name, parameters[name] as Parameter] as const)
    if (chosen.length === 0) return []
    const plain = chosen.filter(([, { description = '' }]) => OF_EVERY_FIELD.test(description))
    const fieldsOf = (kind: string) =>
      plain.flatMap(([name, { schema }]) =>
        name.split('.')[1] === kind ? [[name.split('.')[2] as string, schema.items ?? {}] as const] : [],
      )
    const [filters, ranges] = [fieldsOf('filter'), fieldsOf('range')]
    const fields = Object.fromEntries([...ranges, ...filters])
    const all = Object.keys(fields)
    const picked = (some: typeof filters) =>
      some.length === all.length
        ? `${resource}_fields`
        : `Pick<${resource}_fields, ${some.map(([name]) => `'${name}'`).join(' | ') || 'never'}>`
    const others = chosen.filter(([name, one]) => !plain.some(([other]) => other === name) && one.name !== 'sort')
    const sort = parameters[`${resource}.sort`]?.schema.items?.enum ?? []
    const sorted = sort.filter((name) => !String(name).startsWith('-')).map((name) => JSON.stringify(name))
    return [
      `interface ${resource}_fields {`,
      ...Object.entries(fields).flatMap(([name, schema]) => memberLines(name, schema, true)),
      '}',
      `interface ${resource}_selection extends Filters<${picked(filters)}>, Ranges<${picked(ranges)}> {`,
      ...others.flatMap(([, one]) => memberLines(one.name, one.schema, false, one.description)),
      '}',
      `type ${resource}_list = ${resource}_selection & Sorted<${sorted.join(' | ')}> & Paged & Compound\n`,
    ]
  }

  function memberLines(name: string, schema: Schema, isRequired = false, description = schema.description): string[] {
    return [...comment(description, '  '), `  ${key(name)}${isRequired ? '' : '?'}: ${write(schema, '  ')}`]
  }
}

/** Returns the type that a parameter of a list belongs to, or undefined for other parameters. */
function listOf(part: string): string | undefined {
  const [, resource, kind] = /^(\w+)\.(filter|range|search|sort)\b/.exec(part) ?? []
  return kind && `${resource}_${kind === 'sort' ? 'list' : 'selection'}`
}

const OF_LISTS = /^(Paged|Compound|\w+_selection)$/

const jsonOf = (part: Content | undefined): Schema | undefined => part?.content?.['application/json']?.schema
