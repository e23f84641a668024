import type { Manifest } from './format.ts'

/** How many rows are in an archive. */
export const rowsOf = ({ tables }: Manifest): number => Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)

/** A text on missing and damaged files, to append; '' where there are none. */
export const describeFileErrors = ({ missing, damaged }: Manifest['files']): string =>
  missing.length + damaged.length === 0
    ? ''
    : ` The storage of files lacked ${missing.length} and had ${damaged.length} otherwise than they were stored.`
