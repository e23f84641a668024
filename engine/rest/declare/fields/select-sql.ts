import type { Sql } from '../sql.ts'
import type { Scope } from './field.ts'

export const selectSql = (scope: Scope, selected: Sql): number => scope.select(writeSql(scope, selected))

/** Returns the text of SQL, and makes the representation depend on what it reads. */
export function writeSql(scope: Scope, written: Sql): string {
  for (const table of written.tables) scope.dependOn(table)
  if (written.byCaller || written.timeDependencies?.length !== 0) scope.guard()
  return written.write({ alias: scope.alias })
}
