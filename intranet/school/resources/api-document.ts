import { atOnce, type Slices } from '@campus/engine/base/slices'
import type { Registry } from '@campus/engine/rest/declare/registry'
import type { OpenapiDocument } from '@campus/engine/rest/openapi/document'
import { openapiDocument } from '@campus/engine/rest/openapi/openapi-document'
import { type Route, routeTable } from '@campus/engine/rest/route-table'
import { oauthOperations } from '../../oauth/openapi.ts'
import { fileOperations } from '../../services/attachments/openapi.ts'
import { applicationWebhooks } from '../../webhooks/applications/openapi.ts'
import { declaredRegistry, tagGroups } from './declared.ts'

/** Version of the API. */
export const API_VERSION = '2.0'

/** `baseUrl` has no trailing slash. */
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

/** Returns the document of a service at this address. Needs no database or server. */
export function declaredDocument(baseUrl = 'https://localhost:8443'): OpenapiDocument {
  const registry = declaredRegistry()
  return atOnce(apiDocument(registry, routeTable(registry), baseUrl))
}
