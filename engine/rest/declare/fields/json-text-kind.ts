import { message } from '../../../base/languages/say.ts'
import { type JsonSchema, type Kind, WrongValue } from './kinds.ts'

const MAX_CHARACTERS = 65_536

/** JSON sent as a value or a text, stored as the text of `textOf`, which throws WrongValue. */
export const jsonTextKind = (schema: JsonSchema, textOf: (value: unknown) => string): Kind<string> => ({
  sqlType: 'text',
  schema,
  read: (input) => textOf(typeof input === 'string' ? parse(input) : input),
  readAsked: (text) => text,
  write: (text) => text,
})

function parse(text: string): unknown {
  if (text.length > MAX_CHARACTERS)
    throw new WrongValue(message('is too long (maximum is {most} characters)', { most: MAX_CHARACTERS }))
  try {
    return JSON.parse(text)
  } catch {
    throw new WrongValue('is not JSON')
  }
}
