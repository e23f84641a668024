import { message } from '@campus/engine/base/languages/say'
import { UploadedFile } from '@campus/engine/http/uploaded-file'
import { WrongValue } from '@campus/engine/rest/declare/fields/kinds'
import { cleanFileName } from './file-names.ts'

/** Reads a file of a payload: its id and name. Throws WrongValue. */
export function readFile(input: unknown, name: string): { readonly id: number; readonly name: string } {
  if (!(input instanceof UploadedFile)) throw new WrongValue('must be a file, sent as multipart/form-data')
  if (input.exceeds !== undefined)
    throw new WrongValue(message('is too large (maximum is {most} bytes)', { most: input.exceeds }))
  if (input.staged?.bytes === 0) throw new WrongValue('is an empty file')
  return { id: input.id ?? 0, name: cleanFileName(input.filename, name) }
}
