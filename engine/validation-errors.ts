import { type Message, message } from './base/languages/say.ts'
import { hidesText } from './base/text/hidden-text.ts'
import { type HttpError, unprocessable } from './errors.ts'

export class ValidationErrors {
  readonly #errors: Record<string, Message[]> = {}

  add(field: string, text: Message): void {
    this.#errors[field] ??= []
    this.#errors[field].push(text)
  }

  has(field: string): boolean {
    return field in this.#errors
  }

  get refusal(): HttpError | undefined {
    return Object.keys(this.#errors).length > 0 ? unprocessable(this.#errors) : undefined
  }

  throwIfAny(): void {
    const { refusal } = this
    if (refusal) throw refusal
  }
}

const MAX_TEXT = 255
export const INVISIBLE = 'must not contain invisible characters, or such as change the direction of writing'
const CONTROL_CHARACTER = /\p{Cc}/u

type TextRules = { readonly required?: boolean; readonly maxLength?: number }

/** Returns the trimmed text, or null if it is blank. Adds its errors to `errors`. */
export function checkText(
  errors: ValidationErrors,
  field: string,
  value: string | null | undefined,
  rules: TextRules = {},
): string | null {
  const { required = false, maxLength = MAX_TEXT } = rules
  const text = value?.trim() || null
  if (text === null) {
    if (required) errors.add(field, "can't be blank")
    return null
  }
  if ([...text].length > maxLength)
    errors.add(field, message('is too long (maximum is {most} characters)', { most: maxLength }))
  if (CONTROL_CHARACTER.test(text)) errors.add(field, 'must not contain control characters')
  else if (hidesText(text)) errors.add(field, INVISIBLE)
  return text
}
