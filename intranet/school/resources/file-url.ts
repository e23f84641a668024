/** Columns from which a text is derived. */
export type MadeOf = readonly (string | null)[]

export type Sign = (path: string) => string

/** Returns an address that opens without a token for a while, or the given address if there is no file. */
export const fileUrl = ([file, name, url = null]: MadeOf, sign: Sign) =>
  file == null ? url : sign(`/files/${file}/${encodeURIComponent(name ?? 'file')}`)
