import type { Kind, SqlValue } from '@campus/engine/rest/declare/fields/kinds'
import { readFile } from './read-file.ts'

/** A stored file and what it is called. */
export type Picture = { readonly id: number; readonly name: string }

/** A picture that comes along as a file. Read into JSON, for the actions. */
export const pictureKind: Kind<string> = {
  sqlType: 'text',
  schema: { type: 'string', format: 'binary' },
  read: (input) => JSON.stringify(readFile(input, 'picture')),
  write: (text) => text,
}

/** The picture, as its kind read it; null where it is to be taken away. */
export const pictureOf = (value: SqlValue): Picture | null => (value === null ? null : JSON.parse(String(value)))
