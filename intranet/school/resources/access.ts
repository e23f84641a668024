import { type CommonAccess, role as namedRole, scope as namedScope } from '@campus/engine/rest/declare/access'
import { type Role, rolesThatGive } from '../../access/roles.ts'
import { API_SCOPES, DEFAULT_SCOPE, SCOPE_MEANINGS, type Scope } from '../../access/scopes.ts'

/** Requires this role or one that includes it (spec: access 2). */
export const role = (name: Role) => namedRole(name, rolesThatGive(name))

export const scope = (name: Scope) => namedScope(name, SCOPE_MEANINGS[name])

export const COMMON_ACCESS: CommonAccess = {
  scopes: API_SCOPES,
  defaultScope: scope(DEFAULT_SCOPE),
  chosenIds: role('Advanced Staff'),
  wholeLists: role('Basic Staff'),
}
