import { inEnglish } from '../../base/languages/say.ts'
import { describeAccess } from '../declare/access.ts'
import { punctuated } from '../declare/fields/field.ts'
import type { JsonSchema } from '../declare/fields/kinds.ts'
import type { Route } from '../route-table.ts'
import type { Components } from './document.ts'
import { operationId, summaryOf } from './names.ts'
import { parametersOf } from './parameters.ts'
import { requestBodyOf } from './payloads.ts'
import { responsesOf } from './responses.ts'
import { securityOf } from './security.ts'

export function operationOf(components: Components, route: Route): JsonSchema {
  const parameters = parametersOf(components, route)
  const requestBody = requestBodyOf(components, route)
  return {
    operationId: operationId(components.registry, route),
    tags: [route.resource.name],
    summary: summaryOf(components.registry, route),
    description: descriptionOf(route),
    'x-access': inEnglish(describeAccess(route.access)),
    security: securityOf(components, route.access),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: responsesOf(components, route),
  }
}

function descriptionOf({ action, access, description, resource: { restricted }, note }: Route): string {
  const texts = [
    ...(note && action === 'index' ? [note] : []),
    ...(description === undefined ? [] : [punctuated(description)]),
    `Needs ${inEnglish(describeAccess(access))}.`,
    ...(action === 'show' && restricted
      ? [`A record whose \`${restricted.whileSet}\` is set needs ${inEnglish(describeAccess(restricted.access))}.`]
      : []),
  ]
  return texts.join(' ')
}
