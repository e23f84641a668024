import { isOneOf } from '@campus/engine/base/narrow'

/** Parts of the service that a token may be bound to (RFC 8707). */
const RESOURCES = ['/v2', '/mcp'] as const

export type TokenResource = (typeof RESOURCES)[number]

/** Returns the part at an address, null for the whole service, or undefined for another address. */
export function resourceAt(baseUrl: string, address: string): TokenResource | null | undefined {
  const [own, asked] = [URL.parse(baseUrl), URL.parse(address)]
  if (!own || !asked || asked.origin !== own.origin || address.includes('#') || asked.search !== '') return undefined
  if (asked.username !== '' || asked.password !== '') return undefined
  const [folder, path] = [own, asked].map(({ pathname }) => pathname.replace(/\/$/, ''))
  if (path === folder) return null
  return RESOURCES.find((resource) => path === `${folder}${resource}`)
}

export const isResource = (text: string | null): text is TokenResource => isOneOf(RESOURCES, text)
