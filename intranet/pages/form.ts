import { message } from '@campus/engine/base/languages/say'
import { isRecord } from '@campus/engine/base/narrow'
import { malformed } from '@campus/engine/errors'
import { UploadedFile } from '@campus/engine/http/uploaded-file'

/** Fields of a form, or parameters of an address. */
export type Form = {
  /** Returns '' if the field is missing. Does not trim, since a password may have blanks. */
  text(name: string): string
  /** Reports whether the field exists, even if it is empty. */
  has(name: string): boolean
  /** Returns the values of `name[]` fields. A single value is a list of one. */
  list(name: string): readonly string[]
  file(name: string): UploadedFile | undefined
}

/** Reads a parsed body or query. Throws 400 for text that PostgreSQL cannot store. */
export function formOf(value: unknown): Form {
  const fields = isRecord(value) ? value : {}
  const read = (name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined)
  return {
    text(name) {
      const text = read(name)
      return typeof text === 'string' ? checked(name, text) : ''
    },
    has: (name) => read(name) !== undefined,
    list(name) {
      const values = read(name)
      const list = Array.isArray(values) ? values : [values]
      return list.filter((text) => typeof text === 'string').map((text) => checked(name, text))
    },
    file(name) {
      const file = read(name)
      // Browsers send an empty file without a name if none was chosen.
      return file instanceof UploadedFile && file.filename !== '' ? file : undefined
    },
  }
}

function checked(name: string, text: string): string {
  if (text.includes('\0') || !text.isWellFormed())
    throw malformed(message('The field {name} has a character that is not text.', { name }))
  return text
}
