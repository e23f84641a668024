import type { Field } from './field.ts'

type Describable = { readonly description?: string | undefined; readonly within?: Field['within'] }

/**
 * Describes a field in one clause: `when the account was closed; null while it is open`. The clause of a filter follows
 * "Only records": `whose author wrote one of these books`.
 */
export function described<T extends Describable>(description: string, declared: T): T {
  const { within } = declared
  if (!within) return Object.freeze({ ...declared, description })
  const shown: Field['within'] = (...place) => described(description, within(...place))
  return Object.freeze({ ...declared, description, within: shown })
}
