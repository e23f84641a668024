import { column, type Sql, sql, table } from '@campus/engine/rest/declare/sql'

/** Condition on staff in `users`: the person is an administrator. In a school with one campus, all staff are. */
export const isAdministratorSql = sql`(exists (select from ${table('administrators')} where user_id = ${column('id')})
  or not exists (select from ${table('campus')} offset 1))`

const actor = table('users', 'actor')
const campus = table('campus', 'c')

/** Condition that a person has power over an endpoint. It is not null if both ids are known. */
export const powerOverEndpointSql = (person: Sql, endpoint: Sql): Sql => sql`exists (
  select from ${actor} where actor.id = ${person} and actor.kind = 'admin' and (${actor.row(isAdministratorSql)}
    or case when exists (select from ${campus} where c.endpoint_id = ${endpoint})
      then not exists (select from ${campus} where c.endpoint_id = ${endpoint} and not exists (
        select from ${table('campus_users', 'm')} where m.user_id = actor.id and m.campus_id = c.id))
      else not exists (select from ${table('deliveries', 'had')} where had.endpoint_id = ${endpoint}) end))`

/** Condition on a row with the columns `person` and `endpoint`. */
export const hasPowerOverEndpointSql = powerOverEndpointSql(column('person'), column('endpoint'))
