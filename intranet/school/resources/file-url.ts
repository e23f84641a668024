/** Columns of a row that a text is made of. */
export type MadeOf = readonly (string | null)[]

export type Sign = (path: string) => string

/** The address of a file, which opens without a token for a while; where there is no file, the address that was given. */
export const fileUrl = ([file, name, url = null]: MadeOf, sign: Sign) =>
  file == null ? url : sign(`/files/${file}/${encodeURIComponent(name ?? 'file')}`)
