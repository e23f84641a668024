/** The times in a column, of the record's own table unless said; or so many minutes before them. */
export type TimeDependency = { readonly table?: string; readonly column: string; readonly minutesBefore?: number }
