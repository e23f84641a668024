import type { Association, Through } from './association.ts'
import { bypassGuards, column, joinSql, now, type Place, Sql, sql, table } from './sql.ts'

type AssociationPlace = Place & { readonly id: string }

const ID = new Sql<AssociationPlace>({}, ({ id }) => id)

export function associationSql(association: Association): Sql<AssociationPlace> {
  const known = associations.get(association) ?? associatedWith(association, ID)
  associations.set(association, known)
  return known
}

/** Caches conditions, since a request needs them several times. Only declarations create associations. */
const associations = new Map<Association, Sql<AssociationPlace>>()

/** Returns the condition that the row is associated with the record. `id` must not be a column of the row. */
export function associatedWith<P extends Place>(association: Association, id: Sql<P>): Sql<P> {
  if (typeof association === 'string') return sql`${column(association)} = ${id}`
  if ('anyOf' in association) {
    const ways = association.anyOf.map((way) => associatedWith(way, id))
    return sql`(${joinSql(ways, ' or ')})`
  }
  const { foreignKey, key = 'id', otherKey, bypassesGuard } = association
  const between = table(association.table, '_between')
  const beyond = between.row(sql`${associatedWith(otherKey, id)}${narrowing(association)}`)
  const exists = sql`exists (select 1 from ${between} where ${between.column(foreignKey)} = ${column(key)} and ${beyond})`
  return bypassesGuard ? bypassGuards(exists) : exists
}

/** Returns the conditions of `Narrowing` on a row of a join table, each after `and`, or empty SQL. */
export function narrowing({ unless, only, current }: Pick<Through, 'unless' | 'only' | 'current'>): Sql {
  const unlessSql = unless ? sql` and not ${column(unless)}` : sql``
  const onlySql = only ? sql` and ${column(only)}` : sql``
  const currentSql = current ? sql` and ${isCurrent(...current)}` : sql``
  return sql`${unlessSql}${onlySql}${currentSql}`
}

/** Returns the condition that now lies between two columns. A null end is open. */
export const isCurrent = (begin: string, end: string): Sql =>
  sql`(${column(begin)} <= ${now} and (${column(end)} is null or ${column(end)} > ${now}))`
