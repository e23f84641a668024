import type { Values } from '../../actions.ts'
import { type Message, message } from '../../base/languages/say.ts'
import { malformed, refuseIfAny } from '../../errors.ts'
import { isParams } from '../../http/params.ts'
import type { Parameter } from '../declare/fields/field.ts'
import { type SqlValue, WrongValue } from '../declare/fields/kinds.ts'
import { IGNORED, readValue, shown } from './read-payload.ts'
import { type Sent, type Source, sourceOf, unwrap } from './unwrap.ts'

type Parameters = Readonly<Record<string, Parameter>>

type Taken = { readonly accepts?: Parameters | undefined; readonly unwrapped?: boolean | undefined }

/** Reads the payload of an action. Throws 400 and 422. */
export function readParameters(singular: string, { accepts, unwrapped }: Taken, source: Source): Values {
  if (!accepts) return {}
  const values: Record<string, SqlValue> = {}
  const errors: Record<string, readonly Message[]> = Object.create(null)
  for (const [name, input] of Object.entries(sentTo(singular, accepts, unwrapped === true, source))) {
    try {
      const column = Object.hasOwn(accepts, name) ? accepts[name] : undefined
      if (column) values[name] = readValue(column, input)
      else if (!IGNORED.has(name)) throw new WrongValue('is not accepted')
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error
      errors[shown(name)] = [error.text]
    }
  }
  for (const [name, { required }] of Object.entries(accepts)) {
    if (required && !errors[name] && values[name] == null) errors[name] = ["can't be blank"]
  }
  refuseIfAny(errors)
  return values
}

function sentTo(singular: string, accepts: Parameters, unwrapped: boolean, sent: Source): Sent {
  const source = sourceOf(sent)
  const isFromQuery = source === sent.query
  const isWrapped = isParams(source) && isParams(source[singular])
  if (isWrapped) return unwrap({ singular, payload: undefined }, sent)
  if (!unwrapped) {
    const isMissing = isFromQuery && !(isParams(sent.query) && Object.hasOwn(sent.query, singular))
    return isMissing ? {} : unwrap({ singular, payload: undefined }, sent)
  }
  if (!isParams(source))
    throw malformed(message('The body must be an object that holds {what}.', { what: Object.keys(accepts).join(', ') }))
  // Other parameters of the query are not part of the payload.
  return isFromQuery
    ? Object.fromEntries(Object.entries(source).filter(([name]) => Object.hasOwn(accepts, name)))
    : source
}
