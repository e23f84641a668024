import type { Values } from '../../actions.ts'
import { message } from '../../base/languages/say.ts'
import { accessDenied } from '../../errors.ts'
import { type ActionRequest, notOwn } from '../action-request.ts'
import { type Access, describeFullAccess } from '../declare/access.ts'
import { type PathParent, valuesOfPath } from '../read/find.ts'
import type { Payload } from './parse.ts'
import { IGNORED } from './read-payload.ts'
import type { Sent } from './unwrap.ts'

/**
 * Returns the columns that the path and the token supply to a new record: `/users/:user_id/loans` sets `user_id`, and a caller
 * who may write only records of their own need not send the owner. Throws 403 if the record would be another's. Runs before the
 * rest of the payload is read, so that a caller without the right learns nothing else.
 */
export function authorizeOwner(request: ActionRequest, sent: Sent, parents: readonly PathParent[]): Values {
  const ofPath = valuesOfPath(parents)
  const { ownAssociation } = request.grant
  if (typeof ownAssociation !== 'string') return ofPath
  const named = sent[ownAssociation]
  const isNamed = named != null && named !== ''
  const supplied = isNamed ? ofPath : { [ownAssociation]: request.caller.resourceOwnerId, ...ofPath }
  requireOwn(request, isNamed ? { [ownAssociation]: Number(named), ...supplied } : supplied)
  return supplied
}

/** Throws 403 if the caller may write only records of their own and the values name another owner. */
export function requireOwn({ grant: { ownAssociation }, caller }: ActionRequest, values: Values): void {
  if (
    typeof ownAssociation === 'string' &&
    ownAssociation in values &&
    values[ownAssociation] !== caller.resourceOwnerId
  )
    throw notOwn()
}

type WriteAccess = { readonly access: Access; readonly ownMay?: readonly string[] | undefined }

/**
 * Keeps only the fields an owner may write. Drops fields that a client sends back unchanged; `changes` is the part that would
 * change the record. Throws 403 that names the fields the owner may not write.
 */
export function authorizedPart(
  { access, ownMay }: WriteAccess,
  { grant: { ownAssociation } }: ActionRequest,
  sent: Payload,
  changes: Payload = sent,
): Payload {
  if (!ownAssociation || !ownMay) return changes
  const isAllowed = (name: string) => ownMay.includes(name)
  const isCreation = sent === changes
  // The answer must not confirm a guess at a hidden value.
  const hidden = Object.keys(sent.values).filter((name) => sent.resource.fields[name]?.hidden !== false)
  const parts = [...sent.nested, ...sent.pointed, ...sent.links].map(({ name }) => name)
  const written = new Set([...Object.keys(changes.values), ...hidden, ...parts])
  const isBlank = (name: string) => isCreation && sent.values[name] === null
  const refused = [...written].filter((name) => !isAllowed(name) && !IGNORED.has(name) && !isBlank(name))
  if (refused.length > 0) {
    const needs = describeFullAccess(access)
    throw accessDenied(
      message('You are not authorized to access this page. To write {what} needs {roles}.', {
        what: refused.join(', '),
        roles: needs,
      }),
    )
  }
  const values = Object.fromEntries(Object.entries(changes.values).filter(([name]) => isAllowed(name)))
  return { ...changes, values }
}
