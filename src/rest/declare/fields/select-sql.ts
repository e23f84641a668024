import type { Sql } from '../sql.ts'
import type { Scope } from './field.ts'

/** Selects SQL on the row and gives its place in the row. */
export const selectSql = (scope: Scope, selected: Sql): number => scope.select(writeSql(scope, selected))

/** Writes SQL on the row and records what it reads. */
export function writeSql(scope: Scope, written: Sql): string {
  for (const table of written.tables) scope.dependOn(table)
  if (written.byCaller || written.timeDependencies?.length !== 0) scope.guard()
  return written.write({ alias: scope.alias })
}
