import type { RouteHandlerMethod } from 'fastify'
import { SCOPES } from '../access/scopes.ts'
import type { OAuthDependencies } from './dependencies.ts'

/** RFC 9728: where clients of the API or of /mcp get tokens. */
export function protectedResource(path: '' | '/mcp') {
  return ({ config: { baseUrl }, documentation }: OAuthDependencies): RouteHandlerMethod => {
    const metadata = {
      resource: baseUrl + path,
      resource_name: 'Campus Intranet',
      resource_documentation: documentation,
      authorization_servers: [baseUrl],
      bearer_methods_supported: path === '' ? ['header', 'query'] : ['header'],
      scopes_supported: Object.keys(SCOPES),
    }
    return async () => metadata
  }
}
