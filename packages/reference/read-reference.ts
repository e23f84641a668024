import type { Slices } from '@campus/engine/base/slices'
import type { JsonSchema } from '@campus/engine/rest/declare/fields/kinds'
import { type Registry, schemaName } from '@campus/engine/rest/declare/registry'
import type { OpenapiDocument, TagGroup } from '@campus/engine/rest/openapi/document'
import type { Route } from '@campus/engine/rest/route-table'
import type { Action, Operation, Reference, WebhookModel } from './model.ts'
import { readOperation, type WrittenOperation } from './operations.ts'

type Source = {
  readonly document: OpenapiDocument
  readonly registry: Registry
  readonly table: readonly Route[]
  readonly subjects?: readonly TagGroup[]
}

/** Reads the pages from the document. The table shows which operations are the same action at other paths. */
export function* readReference({ document, registry, table, subjects = [] }: Source): Slices<Reference> {
  const routes = new Map(table.map((route) => [`${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}`, route]))
  const resolve = resolver(document)
  const actions = new Map<string, Map<string, Action>>()
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, part] of Object.entries(item)) {
      if (!isOperation(part)) continue // `servers` of the path
      const operation = readOperation(resolve, method.toUpperCase(), path, part)
      const resource = part.tags?.[0] ?? ''
      const known = actions.get(resource) ?? new Map<string, Action>()
      actions.set(resource, known)
      addOperation(known, operation, routes.get(`${operation.method} ${path}`))
    }
    yield
  }

  const representations = representationsOf(document, registry)
  const named = new Map(document.tags.map(({ name, description }) => [name, description]))
  // Resources without paths are parts of others, and have a page for their fields.
  for (const { name, summary } of registry.resources)
    if (representations.has(name) && !named.has(name)) named.set(name, summary)
  const anchors = new Map(
    [...representations].flatMap(([resource, list]) =>
      list.map(({ schema, anchor }) => [schema, { resource, anchor }] as const),
    ),
  )
  const webhooks = webhooksOf(document)
  const resources = [...named].map(([name, summary]) => ({
    name,
    summary,
    actions: [...(actions.get(name)?.values() ?? [])],
    records: (representations.get(name) ?? []).map(({ representation, anchor, schema }) => ({
      representation,
      anchor,
      schema: document.components.schemas?.[schema] ?? {},
    })),
    webhook: webhooks.get(name),
  }))
  return {
    resources,
    subjects: subjects.map(({ name, tags }) => ({
      title: name,
      resources: tags.flatMap((tag) => resources.filter((resource) => resource.name === tag)),
    })),
    anchorOf: (schema) => anchors.get(schema),
    resolve,
  }
}

const isOperation = (part: JsonSchema | readonly JsonSchema[]): part is WrittenOperation => !Array.isArray(part)

function addOperation(known: Map<string, Action>, operation: Operation, route: Route | undefined): void {
  const { anchor, title } = actionOf(operation, route)
  const action = known.get(anchor)
  const operations = action ? ([...action.operations, operation] as const) : ([operation] as const)
  known.set(anchor, { anchor, title: action?.title ?? title, operations })
}

function actionOf({ id, summary }: Operation, route: Route | undefined): Pick<Action, 'anchor' | 'title'> {
  if (!route) return { anchor: id, title: summary }
  const { action, note = '' } = route
  const name = action === 'member' || action === 'query' ? note : NAMES[action]
  return { anchor: name.replace(/\W/g, '-'), title: summary.replace(/, as by PATCH$/, '') }
}

const NAMES = {
  index: 'list',
  show: 'show',
  owner: 'me',
  graph: 'graph',
  search: 'search',
  create: 'create',
  bulk: 'create-several',
  update: 'change',
  destroy: 'delete',
} as const

const resolver =
  (document: OpenapiDocument) =>
  (part: JsonSchema): JsonSchema => {
    if (typeof part.$ref !== 'string') return part
    const [section = '', name = ''] = part.$ref.replace('#/components/', '').split('/')
    return document.components[section]?.[name] ?? {}
  }

function representationsOf({ components }: OpenapiDocument, registry: Registry) {
  const representations = new Map<string, { representation: string; anchor: string; schema: string }[]>()
  for (const resource of registry.resources) {
    const list = ['record', ...Object.keys(resource.representations ?? {}), 'webhook', 'in_webhook']
      .map((representation) => ({
        representation,
        anchor: `fields-${representation}`,
        schema: schemaName(resource, representation),
      }))
      .filter(({ schema }) => components.schemas?.[schema])
    if (list.length > 0) representations.set(resource.name, list)
  }
  return representations
}

const webhooksOf = ({ webhooks }: OpenapiDocument): ReadonlyMap<string, WebhookModel> =>
  new Map(
    Object.entries(webhooks).flatMap(([model, { post }]) => {
      if (post === undefined || !isOperation(post)) return []
      const [schema = {}] = post.requestBody?.content?.['application/json']?.schema?.anyOf ?? []
      return [[post.tags?.[0] ?? '', { model, events: post['x-events'] ?? {}, schema }] as const]
    }),
  )
