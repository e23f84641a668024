import { atOnce, type Slices } from '../base/slices.ts'
import { oauthOperations } from '../oauth/openapi.ts'
import type { Registry } from '../rest/declare/registry.ts'
import type { OpenapiDocument } from '../rest/openapi/document.ts'
import { openapiDocument } from '../rest/openapi/openapi-document.ts'
import { type Route, routeTable } from '../rest/route-table.ts'
import { fileOperations } from '../services/attachments/openapi.ts'
import { applicationWebhooks } from '../webhooks/applications/openapi.ts'
import { declaredRegistry, tagGroups } from './declared.ts'

/** Of the API. */
export const API_VERSION = '2.0'

/** The OpenAPI document of the whole API. `baseUrl` has no trailing slash. */
export const apiDocument = (registry: Registry, table: readonly Route[], baseUrl: string): Slices<OpenapiDocument> =>
  openapiDocument(registry, table, {
    baseUrl,
    info: {
      title: 'Campus Intranet API',
      version: API_VERSION,
      summary: "The data of a school's intranet, to read and to write.",
      license: { name: 'MIT', identifier: 'MIT' },
    },
    more: [oauthOperations(baseUrl), fileOperations, applicationWebhooks],
    subjects: tagGroups(),
  })

/** The document that a service serves at this address, made without a database or a server. */
export function declaredDocument(baseUrl = 'https://localhost:8443'): OpenapiDocument {
  const registry = declaredRegistry()
  return atOnce(apiDocument(registry, routeTable(registry), baseUrl))
}
