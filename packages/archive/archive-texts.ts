import type { Manifest } from './format.ts'

export const rowsOf = ({ tables }: Manifest): number => Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)

/** Describes missing and damaged files. Returns an empty text if there are none. */
export const describeFileErrors = ({ missing, damaged }: Manifest['files']): string =>
  missing.length + damaged.length === 0
    ? ''
    : ` The storage of files lacked ${missing.length} and had ${damaged.length} otherwise than they were stored.`
