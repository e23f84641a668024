import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { fold, isAscii } from '../base/text/fold.ts'

/** What `fold` makes of a text, in SQL and whatever the locale of the database. Unique indexes of logins and addresses are of it. */
export const foldSql = (text: string): string => `lower(${text} collate "C")`

/** Whether a column holds the same login, address or name. */
export const sameName = (column: string, name: string): RawBuilder<SqlBool> =>
  isStorable(name)
    ? sql<SqlBool>`lower(${sql.ref(column)} collate "C") = ${fold(name)}::text collate "C"`
    : sql<SqlBool>`false`

/** The same of an address that another service has verified: letters beyond ASCII may look like others, so that it must stand there as it is. */
export const sameVerifiedAddress = (column: string, address: string): RawBuilder<SqlBool> =>
  isAscii(address) || !isStorable(address)
    ? sameName(column, address)
    : sql<SqlBool>`(${sameName(column, address)} and ${sql.ref(column)} = ${address})`

/** Whether a column of text can hold it. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
