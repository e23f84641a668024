/** Names that a service needs to declare resources and to serve them. */

export { type Clock, systemClock } from '../src/base/clock.ts'
export { type Message, message } from '../src/base/languages/say.ts'
export { type Api, createApi } from '../src/create-api.ts'
export type { Database, Handle } from '../src/database/database.ts'
export { type MigrationModule, type Migrations, script } from '../src/database/migrations.ts'
export type { Caller, FindCaller, TokenError } from '../src/http/caller.ts'
export { all, either, open, own, permit, person, role, scope } from '../src/rest/declare/access.ts'
export { joinTable, onward, through } from '../src/rest/declare/association.ts'
export { becomes, becomesNull, becomesSet, increases } from '../src/rest/declare/change-condition.ts'
export { type Declaration, embeddedOnly, type Resource } from '../src/rest/declare/declaration.ts'
export {
  boolean,
  choice,
  date,
  float,
  integer,
  reference,
  slug,
  text,
  texts,
  time,
  timestamps,
} from '../src/rest/declare/fields/columns.ts'
export { countOf, idsOf, url } from '../src/rest/declare/fields/computed.ts'
export { described } from '../src/rest/declare/fields/described.ts'
export { many, one } from '../src/rest/declare/fields/embeds.ts'
export { guarded, leftOut, nullWhereHidden } from '../src/rest/declare/fields/guarded.ts'
export { when, whenCurrent, whenFuture, whenRelated, whenSet } from '../src/rest/declare/filters.ts'
export { resource, under, underBoth } from '../src/rest/declare/resource.ts'
export { caller, column, now, sql, table } from '../src/rest/declare/sql.ts'
