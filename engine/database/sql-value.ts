export type SqlValue = string | number | boolean | null
