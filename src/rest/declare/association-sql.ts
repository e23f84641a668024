import type { Association, Through } from './association.ts'
import { bypassGuards, column, joinSql, now, type Place, Sql, sql, table } from './sql.ts'

/** A place that says the id of the other record. */
type AssociationPlace = Place & { readonly id: string }

const ID = new Sql<AssociationPlace>({}, ({ id }) => id)

/** The condition that the row is associated with the record whose id the place says. */
export function associationSql(association: Association): Sql<AssociationPlace> {
  const known = associations.get(association) ?? associated(association, ID)
  associations.set(association, known)
  return known
}

/** By association, since it is asked several times for each request. There are as many as declarations have. */
const associations = new Map<Association, Sql<AssociationPlace>>()

/** The condition that the row is associated with the record with this id. The id must not be a column of the row. */
export function associated<P extends Place>(association: Association, id: Sql<P>): Sql<P> {
  if (typeof association === 'string') return sql`${column(association)} = ${id}`
  if ('anyOf' in association) {
    const ways = association.anyOf.map((way) => associated(way, id))
    return sql`(${joinSql(ways, ' or ')})`
  }
  const { foreignKey, key = 'id', otherKey, bypassesGuard } = association
  const between = table(association.table, '_between')
  const beyond = between.row(sql`${associated(otherKey, id)}${narrowing(association)}`)
  const exists = sql`exists (select 1 from ${between} where ${between.column(foreignKey)} = ${column(key)} and ${beyond})`
  return bypassesGuard ? bypassGuards(exists) : exists
}

/** What else the row of a join table must be, after another condition. */
export function narrowing({ unless, only, current }: Through): Sql {
  const unlessSql = unless ? sql` and not ${column(unless)}` : sql``
  const onlySql = only ? sql` and ${column(only)}` : sql``
  const currentSql = current ? sql` and ${isCurrent(...current)}` : sql``
  return sql`${unlessSql}${onlySql}${currentSql}`
}

/** The condition that now lies between two columns. An end that is not set is open. */
export const isCurrent = (begin: string, end: string): Sql =>
  sql`(${column(begin)} <= ${now} and (${column(end)} is null or ${column(end)} > ${now}))`
