import { accessDenied } from '../../errors.ts'
import { type Access, describeFullAccess, type Grant } from '../declare/access.ts'
import type { Resource } from '../declare/resource.ts'
import { IGNORED, type PayloadValues } from './payload.ts'

type Action = { readonly access: Access; readonly ownMay?: readonly string[] | undefined }

/**
 * What of a payload a caller writes who may write records of their own only. What a client sends back as it was shown is
 * left out; `changes` is the part that would change the record. Throws 403 that names what is not theirs to write.
 */
export function ownPart(
  resource: Resource,
  { access, ownMay }: Action,
  { ownAssociation }: Grant,
  sent: PayloadValues,
  changes: PayloadValues = sent,
): PayloadValues {
  if (!ownAssociation || !ownMay) return changes
  const isTheirs = (name: string) => ownMay.includes(name)
  const isCreation = sent === changes
  // Whether a guess at what is hidden was right must not be learnt from the answer.
  const hidden = Object.keys(sent.values).filter((name) => resource.fields[name]?.hidden !== false)
  const along = [sent.nested, sent.pointed, sent.links].flatMap((part) => [...part.keys()])
  const written = new Set([...Object.keys(changes.values), ...hidden, ...along])
  const isBlank = (name: string) => isCreation && sent.values[name] === null
  const refused = [...written].filter((name) => !isTheirs(name) && !IGNORED.has(name) && !isBlank(name))
  if (refused.length > 0) {
    const needs = describeFullAccess(access)
    throw accessDenied(`You are not authorized to access this page. To write ${refused.join(', ')} needs ${needs}.`)
  }
  const values = Object.fromEntries(Object.entries(changes.values).filter(([name]) => isTheirs(name)))
  return { ...changes, values }
}
