import { message } from '@campus/engine/base/languages/say'
import { isRecord } from '@campus/engine/base/narrow'
import { malformed } from '@campus/engine/errors'
import { UploadedFile } from '@campus/engine/http/uploaded-file'

/** The fields of a form, or the parameters of an address. */
export type Form = {
  /** '' where there is none; blanks are not trimmed, since a password may have them. */
  text(name: string): string
  /** Whether there is a field of this name, even an empty one. */
  has(name: string): boolean
  /** The values of `name[]` fields, such as checkboxes; a single value is a list of one. */
  list(name: string): readonly string[]
  /** A file that was chosen; undefined where none was. */
  file(name: string): UploadedFile | undefined
}

/** Reads the nested value that a body or query has become. Throws 400 for what the database could not hold. */
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
      // A browser sends an empty one without a name where none was chosen.
      return file instanceof UploadedFile && file.filename !== '' ? file : undefined
    },
  }
}

function checked(name: string, text: string): string {
  if (text.includes('\0') || !text.isWellFormed())
    throw malformed(message('The field {name} has a character that is not text.', { name }))
  return text
}
