import { describeAccess } from '../declare/access.ts'
import { sentence } from '../declare/fields/field.ts'
import type { JsonSchema } from '../declare/fields/kinds.ts'
import type { Registry } from '../declare/registry.ts'
import type { Route } from '../route-table.ts'
import type { Components } from './document.ts'
import { operationId, summaryOf } from './names.ts'
import { parametersOf } from './parameters.ts'
import { requestBodyOf } from './payloads.ts'
import { responsesOf } from './responses.ts'
import { securityOf } from './security.ts'

/** One route as an operation of the document. */
export function operationOf(registry: Registry, components: Components, route: Route): JsonSchema {
  const parameters = parametersOf(registry, components, route)
  const requestBody = requestBodyOf(registry, components, route)
  return {
    operationId: operationId(registry, route),
    tags: [route.resource.name],
    summary: summaryOf(registry, route),
    description: descriptionOf(route),
    'x-access': describeAccess(route.access),
    security: securityOf(components, route.access),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: responsesOf(registry, components, route),
  }
}

function descriptionOf({ action, access, description, resource: { restricted }, note }: Route): string {
  const sentences = [
    ...(note && action === 'index' ? [note] : []),
    ...(description === undefined ? [] : [sentence(description)]),
    `Needs ${describeAccess(access)}.`,
    ...(action === 'show' && restricted
      ? [`A record whose \`${restricted.whileSet}\` is set needs ${describeAccess(restricted.access)}.`]
      : []),
  ]
  return sentences.join(' ')
}
