export { type Clock, systemClock } from './base/clock.ts'
export { type Message, message } from './base/languages/say.ts'
export { type Api, createApi } from './create-api.ts'
export type { Database, Handle } from './database/database.ts'
export { type MigrationModule, type Migrations, script } from './database/migrations.ts'
export type { Caller, FindCaller, TokenError } from './http/caller.ts'
export { all, either, open, own, permit, person, role, scope } from './rest/declare/access.ts'
export { joinTable, onward, through } from './rest/declare/association.ts'
export { becomes, becomesNull, becomesSet, increases } from './rest/declare/change-condition.ts'
export { type Declaration, embeddedOnly, type Resource } from './rest/declare/declaration.ts'
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
} from './rest/declare/fields/columns.ts'
export { countOf, idsOf, url } from './rest/declare/fields/computed.ts'
export { described } from './rest/declare/fields/described.ts'
export { many, one } from './rest/declare/fields/embeds.ts'
export { guarded, leftOut, nullWhereHidden } from './rest/declare/fields/guarded.ts'
export { when, whenCurrent, whenFuture, whenRelated, whenSet } from './rest/declare/filters.ts'
export { resource, under, underBoth } from './rest/declare/resource.ts'
export { caller, column, now, sql, table } from './rest/declare/sql.ts'
