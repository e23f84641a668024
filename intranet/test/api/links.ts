import type { Response } from '@campus/test/support/client'

/** The `Link` header of a page: rel → address (RFC 8288). */
export function linksOf(response: Pick<Response, 'headers'>): Record<string, string> {
  const links = (response.headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)
  return Object.fromEntries([...links].map(([, url, rel]) => [rel, url]))
}
