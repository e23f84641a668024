import type { Caller } from '@campus/engine/http/caller'
import { type Access, grantOf, ownParts } from '@campus/engine/rest/declare/access'
import type { Association } from '@campus/engine/rest/declare/association'
import type { Registry } from '@campus/engine/rest/declare/registry'
import { type Route, routeTable } from '@campus/engine/rest/route-table'
import { ROLES } from '@campus/intranet/access/roles'
import { SCOPES } from '@campus/intranet/access/scopes'
import { actionOf, CALLERS, type CallerName } from './access-table.ts'
import { textTable } from './text-table.ts'

const EVERY_SCOPE = Object.keys(SCOPES)

const callerWith = (roles: readonly string[], scopes: readonly string[], resourceOwnerId: number | null): Caller => ({
  application: { id: 1, uid: 'one', name: 'One', roles, ratePerSecond: 1, ratePerHour: 1 },
  scopes,
  resourceOwnerId,
})

const callerOf = (name: CallerName, scopes: readonly string[]): Caller => {
  if (name === 'public') return callerWith([], ['public'], null)
  if (name === 'tutor') return callerWith(['Advanced Tutor'], scopes, null)
  if (name === 'staff') return callerWith(['Advanced Staff'], scopes, null)
  return callerWith([], scopes, 1)
}

/** Whether a rule asks for a record of the caller's own: a new one is nobody's that a join table finds by its id. */
const isOthersRecord = (own: Association | undefined, action: Route['action']) =>
  own !== undefined && !(action === 'create' && typeof own === 'object' && 'table' in own && own.key === undefined)

/** Returns the status that the rule gives a caller: 401, 403, 404, ok, or the missing scope. */
function cellOf({ access, action, resource }: Route, name: CallerName): string {
  if (name === 'none') return '401'
  const isConcealed = action !== 'create' && resource.concealed && !resource.concealed.unless
  const isAllowed = (scopes: readonly string[]) => {
    const grant = grantOf(access, callerOf(name, scopes))
    return grant !== undefined && !(name === 'other' && isOthersRecord(grant.ownAssociation, action))
  }
  if (!isAllowed(EVERY_SCOPE)) return grantOf(access, callerOf(name, EVERY_SCOPE)) && isConcealed ? '404' : '403'
  return EVERY_SCOPE.find((scope) => !isAllowed(EVERY_SCOPE.filter((other) => other !== scope))) ?? 'ok'
}

const rolesNamed = (access: Access): readonly string[] =>
  access.kind === 'role' ? [access.role] : 'of' in access ? access.of.flatMap(rolesNamed) : []

function openedBy(access: Access): string {
  const roles = ROLES.filter(
    (role) => rolesNamed(access).includes(role) && grantOf(access, callerWith([role], EVERY_SCOPE, null)),
  )
  const names = [...roles, ...(ownParts(access).length > 0 ? ['own'] : [])]
  return names.join(', ') || '-'
}

const HEADER = `# Who may do what, by the declarations: written by \`npm run generate -- access\`, reviewed as a difference, and driven over
# every route by intranet/test/api/access-table.test.ts.
#
# What six callers get: no token; an application without roles, with the scope public; a token of somebody else and one of
# the record's own user, with every scope; an application with Advanced Tutor and one with Advanced Staff, with every scope.
#   401, 403   refused
#   404        the record is concealed: lists leave it out, and it is answered as one that is not there
#   ok         allowed, with no scope but public
#   <scope>    allowed with this scope; without it 403 that asks for it
# Last come the roles of which each alone opens it (beside the scope, where one stands in the line), and \`own\` where people
# have it for their own records. \`read\` is index, show, graph and /v2/me; paths below other records follow the same line.

`

/** The table of \`test/fixtures/access.txt\`: the actions of a resource that the same callers may take share a line. */
export function declaredAccess(registry: Registry): string {
  const rows: string[][] = [['# resource', 'action', ...CALLERS, 'opened by']]
  for (const [name, routes] of Map.groupBy(routeTable(registry), ({ resource }) => resource.name)) {
    const lines = new Map<string, Set<string>>()
    for (const route of routes) {
      const key = [...CALLERS.map((caller) => cellOf(route, caller)), openedBy(route.access)].join('\t')
      lines.set(key, (lines.get(key) ?? new Set()).add(actionOf(route)))
    }
    for (const [key, actions] of lines) rows.push([name, [...actions].join(','), ...key.split('\t')])
  }
  return `${HEADER}${textTable(rows)}`
}
