import type { Field } from './field.ts'

type Describable = { readonly description?: string | undefined; readonly within?: Field['within'] }

/**
 * Says in one clause what a field or a custom filter is: `when the account was closed; null while it is open`. The
 * clause of a filter goes on from "Only records": `whose author wrote one of these books`.
 */
export function described<T extends Describable>(description: string, declared: T): T {
  const { within } = declared
  if (!within) return Object.freeze({ ...declared, description })
  const shown: Field['within'] = (...place) => described(description, within(...place))
  return Object.freeze({ ...declared, description, within: shown })
}
