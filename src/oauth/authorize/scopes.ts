import { DEFAULT_SCOPE } from '../scopes.ts'
import { AuthorizeProblem, parameter, type Step } from './attempt.ts'

/** Finds the scopes asked for: those of the application and no others; without any, the default one. */
export const findScopes: Step = (attempt) => {
  const names = parameter(attempt, 'scope')?.split(' ').filter(Boolean) ?? []
  const scopes = names.length > 0 ? [...new Set(names)] : [DEFAULT_SCOPE]
  if (!scopes.every((scope) => attempt.client.scopes.includes(scope))) {
    throw new AuthorizeProblem('invalid_scope', 'A scope is unknown, or this application may not ask for it.')
  }
  return { scopes }
}
