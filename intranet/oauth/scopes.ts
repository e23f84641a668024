import { isScope } from '../access/scopes.ts'

const MAX_NAMED = 5
const MAX_NAMED_LENGTH = 40

/**
 * Returns the fault of requested scopes, or undefined. Contains only characters of an error_description (RFC 6749 §5.2), in
 * the words that clients of Doorkeeper know (spec: authentication 7).
 */
export function describeScopeError(asked: readonly string[], allowed: readonly string[]): string | undefined {
  const wrong = [...new Set(asked)].filter((name) => !allowed.includes(name))
  if (wrong.length === 0) return undefined
  const unknown = wrong.filter((name) => !isScope(name))
  const others = wrong.filter(isScope)
  return [
    'The requested scope is invalid, unknown, or malformed.',
    ...(unknown.length > 0 ? [`There is no scope ${shown(unknown)}.`] : []),
    ...(others.length > 0 ? [`It may not ask for ${shown(others)}.`] : []),
    `The choices are ${allowed.join(', ') || 'none'}.`,
  ].join(' ')
}

const shown = (names: readonly string[]) =>
  [
    ...names.slice(0, MAX_NAMED).map((name) => name.slice(0, MAX_NAMED_LENGTH)),
    ...(names.length > MAX_NAMED ? ['...'] : []),
  ]
    .join(', ')
    .replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')
