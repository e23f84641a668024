import { type RawBuilder, sql } from 'kysely'

/** SQL for the display name of a user, without a trailing space if the last name is empty. `users` is the table or its alias. */
export const displayName = (users = 'users'): RawBuilder<string> => {
  const [usual, first, last] = ['usual_first_name', 'first_name', 'last_name'].map((name) =>
    sql.ref(`${users}.${name}`),
  )
  return sql<string>`rtrim(coalesce(${usual}, ${first}) || ' ' || ${last})`
}
