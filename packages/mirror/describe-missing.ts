import { listOf } from '@campus/intranet/server/columns'
import type { Result } from '@campus/intranet/server/database-command'

/** Describes the rights that an application lacks for a whole copy, and the data that the copy lacks. Returns no lines if nothing is missing. */
export function describeMissing({ roles, scopes, are_roles_known, left_out }: Result): readonly string[] {
  const data = listOf(left_out)
  if (data.length === 0) return []
  const lacks = [named('role', roles), named('scope', scopes)].filter((part) => part !== '').join(' and ')
  return [
    are_roles_known
      ? `The application lacks ${lacks}. Until it has them, the copy goes without:`
      : `The service does not say which roles the application has. If it lacks ${lacks}, the copy goes without:`,
    ...[...Map.groupBy(data, ({ needs }) => needs)].map(
      ([needs, some]) => `  ${some.map((one) => one.data).join(', ')} (${needs})`,
    ),
  ]
}

function named(kind: string, names: unknown): string {
  const all = [names].flat()
  return all.length === 0 ? '' : `the ${kind}${all.length > 1 ? 's' : ''} ${all.join(', ')}`
}
