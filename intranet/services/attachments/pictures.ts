import type { Kind, SqlValue } from '@campus/engine/rest/declare/fields/kinds'
import { readFile } from './read-file.ts'

export type Picture = { readonly id: number; readonly name: string }

/** A picture that is sent as a file, read into JSON for the actions. */
export const pictureKind: Kind<string> = {
  sqlType: 'text',
  schema: { type: 'string', format: 'binary' },
  read: (input) => JSON.stringify(readFile(input, 'picture')),
  write: (text) => text,
}

/** Null removes the picture. */
export const pictureOf = (value: SqlValue): Picture | null => (value === null ? null : JSON.parse(String(value)))
