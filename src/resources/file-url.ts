import type { WireContext } from '../rest/declare/fields/kinds.ts'

/** Columns of a row that a text is made of. */
export type MadeOf = readonly (string | null)[]

/** The address of a file, which opens without a token for a while; where there is no file, the address that was given. */
export const fileUrl = ([file, name, url = null]: MadeOf, wire: WireContext) =>
  file == null ? url : wire.signed(`/files/${file}/${encodeURIComponent(name ?? 'file')}`)
