import type { Access } from '../declare/access.ts'
import type { Components } from './document.ts'

type Requirement = Readonly<Record<string, readonly string[]>>

/** Returns the scopes under each token scheme. Includes `oauth2` only if the document defines it already. */
export function securityOf(components: Components, access: Access): readonly Requirement[] {
  components.refer('securitySchemes', 'bearer', () => ({
    type: 'http',
    scheme: 'bearer',
    description: 'The access token in the header: `Authorization: Bearer <token>`.',
  }))
  components.refer('securitySchemes', 'access_token', () => ({
    type: 'apiKey',
    in: 'query',
    name: 'access_token',
    description: 'The access token as a parameter. Prefer the header: addresses end up in logs.',
  }))
  const schemes = [...(components.has('securitySchemes', 'oauth2') ? ['oauth2'] : []), 'bearer', 'access_token']
  const alternatives = [...new Set(scopesOf(access).map((scopes) => [...new Set(scopes)].sort().join(' ')))]
  return alternatives
    .map((text) => (text === '' ? [] : text.split(' ')))
    .flatMap((scopes) => schemes.map((scheme): Requirement => ({ [scheme]: scopes })))
}

function scopesOf(access: Access): readonly (readonly string[])[] {
  switch (access.kind) {
    case 'scope':
      return [[access.scope]]
    case 'either':
      return access.of.flatMap(scopesOf)
    case 'all':
      return access.of
        .map(scopesOf)
        .reduce((sets, more) => sets.flatMap((set) => more.map((scopes) => [...set, ...scopes])), [[]])
    default:
      return [[]]
  }
}
