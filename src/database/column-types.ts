import type { ColumnType } from 'kysely'

/** Points in time: how they are read, and what may be written; the database sets the default ones. */
export type Time = ColumnType<Date, Date | string, Date | string>
export type OptionalTime = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
export type DefaultTime = ColumnType<Date, Date | string | undefined, Date | string>
