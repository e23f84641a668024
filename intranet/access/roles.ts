/**
 * Roles of applications that access rules and `oauth/rates.ts` name. The database may have others, which staff may grant
 * (spec: access 19).
 */
export const ROLES = [
  '42network',
  'Achievements Manager',
  'Advanced Staff',
  'Advanced Tutor',
  'Basic Staff',
  'Basic Tutor',
  'Certified App',
  'Companies Manager',
  'Events manager',
  'Community manager',
  'Moderator',
  'Official App',
  'Video manager',
  'Shop manager',
  'Transactions manager',
] as const

export type Role = (typeof ROLES)[number]

/** Roles that include another role. */
const INCLUDED_IN: Partial<Record<Role, readonly Role[]>> = {
  'Basic Staff': ['Advanced Staff'],
  'Basic Tutor': ['Advanced Tutor'],
}

/** Returns the role itself and those that include it. */
export const rolesThatGive = (name: Role): readonly Role[] => [name, ...(INCLUDED_IN[name] ?? [])]

type Bearer = { readonly application: { readonly roles: readonly string[] } }

/** Reports whether the application of a caller holds a role, itself or by inclusion. */
export function hasRole({ application }: Bearer, name: Role): boolean {
  const sufficient: readonly string[] = rolesThatGive(name)
  return application.roles.some((granted) => sufficient.includes(granted))
}
