import { inEnglish } from '@campus/engine/base/languages/say'
import { type Access, describeFullAccess, grantOf } from '@campus/engine/rest/declare/access'
import type { Registry } from '@campus/engine/rest/declare/registry'
import { ROLES, rolesThatGive } from '@campus/intranet/access/roles'
import { API_SCOPES, DEFAULT_SCOPE } from '@campus/intranet/access/scopes'
import { mirroredResources } from './lists.ts'

type Rights = { readonly roles: readonly string[]; readonly scopes: readonly string[] }

/** Data, and the access that an application needs to read it. */
type Need = { readonly data: string; readonly access: Access }

/** Roles and scopes that the application lacks for a complete mirror, and the data that the mirror omits. */
export type MissingRights = Rights & {
  /** False if the service does not say which roles the application has. Then `roles` and `left_out` assume that it has none. */
  readonly are_roles_known: boolean
  readonly left_out: readonly { readonly data: string; readonly needs: string }[]
}

/** Returns the mirrored data that needs roles or scopes: lists, hidden records and hidden values. */
function needsOf(registry: Registry): readonly Need[] {
  return mirroredResources(registry).flatMap(({ name, actions, concealed, answers, ...resource }) => {
    const hidden = resource.representationFields(answers?.index ?? 'record').flatMap(([field, { guard }]) => {
      const access = guard?.except
      return access ? [{ data: `hidden values of ${name}.${field}`, access }] : []
    })
    return [
      ...(typeof actions === 'string' ? [] : [{ data: name, access: actions.index }]),
      ...(concealed ? [{ data: `hidden records of ${name}`, access: concealed.access }] : []),
      ...hidden,
    ]
  })
}

/** Reports whether an application with these rights, without a user, may read the data. */
const opens = ({ access }: Need, { roles, scopes }: Rights): boolean => {
  const application = { id: 0, uid: '', name: '', roles, ratePerSecond: 0, ratePerHour: 0 }
  return grantOf(access, { application, scopes, resourceOwnerId: null }) !== undefined
}

/** Returns the smallest set of further roles and scopes with which an application may read all of the data. */
function missingFrom(needs: readonly Need[], has: Rights): Rights {
  const isEnough = (rights: Rights) => needs.every((need) => opens(need, rights))
  const without = <T extends string>(given: readonly T[], all: readonly T[], allows: (left: readonly T[]) => boolean) =>
    all.reduce<readonly T[]>((left, one) => {
      const others = left.filter((other) => other !== one)
      return allows([...given, ...others]) ? others : left
    }, all)
  const scopes = [...new Set([...has.scopes, ...API_SCOPES])]
  // Tries to omit roles that others include first, so that the including role stays.
  const byPower = ROLES.toSorted((one, other) => rolesThatGive(other).length - rolesThatGive(one).length)
  const roles = without<string>(has.roles, byPower, (left) => isEnough({ roles: left, scopes }))
  const allRoles = [...has.roles, ...roles]
  return {
    roles: roles.toSorted(),
    scopes: without(has.scopes, API_SCOPES, (left) => isEnough({ roles: allRoles, scopes: left })),
  }
}

/** Compares the rights of an application with the rights that a complete mirror needs. */
export function missingRights(
  registry: Registry,
  {
    roles,
    scopes = [DEFAULT_SCOPE],
  }: { readonly roles: readonly string[] | undefined; readonly scopes?: readonly string[] | undefined },
): MissingRights {
  const has = { roles: roles ?? [], scopes }
  const everything = { roles: ROLES, scopes: API_SCOPES }
  const needs = needsOf(registry).filter((need) => opens(need, everything))
  const lacking = needs.filter((need) => !opens(need, has))
  return {
    ...missingFrom(needs, has),
    are_roles_known: roles !== undefined,
    left_out: lacking.map(({ data, access }) => ({ data, needs: inEnglish(describeFullAccess(access)) })),
  }
}
