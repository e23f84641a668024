import type { Route } from '@campus/engine/rest/route-table'
import { isScope, namedScopes, SCOPES } from '@campus/intranet/access/scopes'
import { fitted } from './fit.ts'
import { ACTING_SCOPE } from './scope.ts'
import { inputSchema, jsonOf, type Tool } from './tool.ts'

export function whoAmI(table: readonly Route[]): Tool {
  const owner = table.find(({ action }) => action === 'owner')
  return {
    name: 'who_am_i',
    title: 'Who am I',
    description:
      'Says which application calls and for which person, with which scopes and roles, whether it may act, and what is left of its rate.',
    inputSchema: inputSchema({}),
    async call(_, { ask, caller, rate }) {
      const { application, scopes, resourceOwnerId } = caller
      const person =
        resourceOwnerId === null || !owner ? null : fitted(jsonOf(await ask({ route: owner, params: {} }))).value
      const { name, uid, roles } = application
      return {
        data: {
          application: { name, uid, roles },
          scopes: Object.fromEntries(namedScopes(scopes).map((scope) => [scope, isScope(scope) ? SCOPES[scope] : ''])),
          may_act: scopes.includes(ACTING_SCOPE),
          rate: { left_this_second: rate.secondlyRemaining, left_this_hour: rate.hourlyRemaining },
          person,
        },
        notes: person === null ? ['The token stands for no person: the application acts for itself.'] : [],
      }
    },
  }
}
