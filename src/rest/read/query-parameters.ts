import type { Values } from '../../actions.ts'
import { wrongParameter } from '../../errors.ts'
import type { Params } from '../../http/params.ts'
import type { Column } from '../declare/fields/field.ts'
import { type SqlValue, WrongValue } from '../declare/fields/kinds.ts'

/** The declared parameters that a query holds; a blank one counts as left out. Throws 400. */
export function readQueryParameters(declared: Readonly<Record<string, Column>>, query: Params): Values {
  const values: Record<string, SqlValue> = {}
  for (const [name, { kind }] of Object.entries(declared)) {
    const input = Object.hasOwn(query, name) ? query[name] : undefined
    if (input === undefined || input === '') continue
    try {
      values[name] = kind.read(input)
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error
      throw wrongParameter(name, `${name} ${error.message}.`)
    }
  }
  return values
}
