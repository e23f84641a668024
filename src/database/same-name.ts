import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { fold, isAscii } from '../base/text/fold.ts'
import { normalizeAddress } from '../base/text/mail-address.ts'

/** What `fold` makes of a text, in SQL and whatever the locale of the database. Unique indexes of logins and addresses are of it. */
export const foldSql = (text: string): string => `lower(${text} collate "C")`

/** Whether a column holds the same login, address or name. */
export const sameName = (column: string, name: string): RawBuilder<SqlBool> =>
  isStorable(name)
    ? sql<SqlBool>`lower(${sql.ref(column)} collate "C") = ${fold(name)}::text collate "C"`
    : sql<SqlBool>`false`

/**
 * Whether a column holds an address that another service has verified. Letters beyond ASCII may look like others, so the
 * case must be equal, too.
 */
export const sameVerifiedAddress = (column: string, given: string): RawBuilder<SqlBool> => {
  const address = normalizeAddress(given)
  return isAscii(address) || !isStorable(address)
    ? sameName(column, address)
    : sql<SqlBool>`(${sameName(column, address)} and ${sql.ref(column)} = ${address})`
}

/** Whether a column of text can hold it. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
