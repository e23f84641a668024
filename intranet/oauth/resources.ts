import { isOneOf } from '@campus/engine/base/narrow'

/** The parts of the service that a token may be bound to (RFC 8707): the API, and the interface for assistants. */
const RESOURCES = ['/v2', '/mcp'] as const

export type TokenResource = (typeof RESOURCES)[number]

/** The part that an address names; null for the whole service, undefined for what is none of it. */
export function resourceAt(baseUrl: string, address: string): TokenResource | null | undefined {
  const [own, asked] = [URL.parse(baseUrl), URL.parse(address)]
  if (!own || !asked || asked.origin !== own.origin || address.includes('#') || asked.search !== '') return undefined
  if (asked.username !== '' || asked.password !== '') return undefined
  const [folder, path] = [own, asked].map(({ pathname }) => pathname.replace(/\/$/, ''))
  if (path === folder) return null
  return RESOURCES.find((resource) => path === `${folder}${resource}`)
}

/** Whether a part of the service stored with a token is one that there is. */
export const isResource = (text: string | null): text is TokenResource => isOneOf(RESOURCES, text)
