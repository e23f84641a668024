import type { ActionInput } from '@campus/engine/actions'
import type { MessageKey } from '@campus/engine/base/languages/dictionary'
import { type FieldErrors, unprocessable } from '@campus/engine/errors'

type Values = ActionInput['values']
type Stored = Readonly<Record<string, unknown>>

/** Throws 422 if these values differ from the present ones, which a client may send back as received. */
export function refuseUnlessSame(values: Values, names: readonly string[], present: Stored, text: MessageKey): void {
  const errors: Record<string, FieldErrors[string]> = {}
  for (const name of names) {
    if (name in values && plain(values[name]) !== plain(present[name])) errors[name] = [text]
  }
  if (Object.keys(errors).length > 0) throw unprocessable(errors)
}

const plain = (value: unknown) => (value instanceof Date ? value.toISOString() : (value ?? null))
