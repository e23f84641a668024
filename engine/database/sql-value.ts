/** What a column holds or is compared with, as the driver takes it. */
export type SqlValue = string | number | boolean | null
