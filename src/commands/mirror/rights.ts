import { inEnglish } from '../../base/languages/say.ts'
import { type Access, describeFullAccess, grantOf } from '../../rest/declare/access.ts'
import type { Registry } from '../../rest/declare/registry.ts'
import { ROLES, rolesThatGive } from '../../roles.ts'
import { API_SCOPES, DEFAULT_SCOPE } from '../../scopes.ts'
import { mirroredResources } from './lists.ts'

type Rights = { readonly roles: readonly string[]; readonly scopes: readonly string[] }

/** Data that only some applications are shown. */
type Need = { readonly data: string; readonly access: Access }

/** The roles and scopes that a whole copy needs besides those that the application has, and the data that it goes without. */
export type MissingRights = Rights & {
  /** False if the service does not say which roles the application has. Then `roles` and `left_out` are of one without roles. */
  readonly are_roles_known: boolean
  readonly left_out: readonly { readonly data: string; readonly needs: string }[]
}

/** Everything of the mirrored lists that some applications are not shown, by the declarations. */
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

/** Whether an application that acts for itself has an access. */
const opens = ({ access }: Need, { roles, scopes }: Rights): boolean => {
  const application = { id: 0, uid: '', name: '', roles, ratePerSecond: 0, ratePerHour: 0 }
  return grantOf(access, { application, scopes, resourceOwnerId: null }) !== undefined
}

/** The fewest roles and scopes that open everything which an application can be shown, besides those that it has. */
function missingFrom(needs: readonly Need[], has: Rights): Rights {
  const isEnough = (rights: Rights) => needs.every((need) => opens(need, rights))
  const without = <T extends string>(given: readonly T[], all: readonly T[], allows: (left: readonly T[]) => boolean) =>
    all.reduce<readonly T[]>((left, one) => {
      const others = left.filter((other) => other !== one)
      return allows([...given, ...others]) ? others : left
    }, all)
  const scopes = [...new Set([...has.scopes, ...API_SCOPES])]
  // Roles that others include are tried first, so that the role that includes them stays.
  const byPower = ROLES.toSorted((one, other) => rolesThatGive(other).length - rolesThatGive(one).length)
  const roles = without<string>(has.roles, byPower, (left) => isEnough({ roles: left, scopes }))
  const allRoles = [...has.roles, ...roles]
  return {
    roles: roles.toSorted(),
    scopes: without(has.scopes, API_SCOPES, (left) => isEnough({ roles: allRoles, scopes: left })),
  }
}

/** Compares the rights of an application with those that a whole copy needs. */
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
