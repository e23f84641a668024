import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { fold, isAscii } from '../base/text/fold.ts'

/** Returns SQL for `fold` in any locale of the database. Unique indexes of logins and addresses use it. */
export const foldSql = (text: string): string => `lower(${text} collate "C")`

export const sameName = (column: string, name: string): RawBuilder<SqlBool> =>
  isStorable(name)
    ? sql<SqlBool>`lower(${sql.ref(column)} collate "C") = ${fold(name)}::text collate "C"`
    : sql<SqlBool>`false`

/** Compares with an address that another service has verified. Beyond ASCII it must be equal, since letters may look alike. */
export const sameVerifiedAddress = (column: string, address: string): RawBuilder<SqlBool> =>
  isAscii(address) || !isStorable(address)
    ? sameName(column, address)
    : sql<SqlBool>`(${sameName(column, address)} and ${sql.ref(column)} = ${address})`

export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
