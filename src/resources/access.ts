import type { CommonAccess, RoleAccess, ScopeAccess } from '../rest/declare/access.ts'
import { type Role, rolesThatGive } from '../roles.ts'
import { API_SCOPES, DEFAULT_SCOPE, SCOPE_MEANINGS, type Scope } from '../scopes.ts'

/** The application has this role, or one that includes it (spec: access 2). */
export const role = (name: Role): RoleAccess => ({ kind: 'role', role: name, sufficient: rolesThatGive(name) })

/** The token carries this scope. */
export const scope = (name: Scope): ScopeAccess => ({ kind: 'scope', scope: name, meaning: SCOPE_MEANINGS[name] })

/** Access that concerns no single resource. */
export const COMMON_ACCESS: CommonAccess = {
  scopes: API_SCOPES,
  defaultScope: scope(DEFAULT_SCOPE),
  chosenIds: role('Advanced Staff'),
  wholeLists: role('Basic Staff'),
}
