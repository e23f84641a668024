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
 * Returns the columns that the path (`/users/:user_id/loans`) and an owner's token supply. Throws 403 for another's
 * record, before anything else of the payload is checked.
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

/** Throws 403 if the values name another owner than the caller requires. */
export function requireOwn({ grant: { ownAssociation }, caller }: ActionRequest, values: Values): void {
  if (typeof ownAssociation !== 'string' || !(ownAssociation in values)) return
  if (values[ownAssociation] !== caller.resourceOwnerId) throw notOwn()
}

type WriteAccess = { readonly access: Access; readonly ownMay?: readonly string[] | undefined }

/** Keeps only the fields an owner may write. Throws 403 that names fields the owner may not change. */
export function authorizedPart(
  { access, ownMay }: WriteAccess,
  { grant: { ownAssociation } }: ActionRequest,
  sent: Payload,
  changes: Payload = sent,
): Payload {
  if (!ownAssociation || !ownMay) return changes
  const isAllowed = (name: string) => ownMay.includes(name)
  const isCreation = sent === changes
  // Comparing a hidden field would confirm a guess of its value.
  const hidden = Object.keys(sent.values).filter((name) => sent.resource.fields[name]?.hidden !== false)
  const parts = [...sent.nested, ...sent.pointed, ...sent.links].map(({ name }) => name)
  const written = new Set([...Object.keys(changes.values), ...hidden, ...parts])
  const isBlank = (name: string) => isCreation && sent.values[name] === null
  const refused = [...written].filter((name) => !isAllowed(name) && !IGNORED.has(name) && !isBlank(name))
  if (refused.length > 0) {
    const said = { what: refused.join(', '), roles: describeFullAccess(access) }
    throw accessDenied(message('You are not authorized to access this page. To write {what} needs {roles}.', said))
  }
  const values = Object.fromEntries(Object.entries(changes.values).filter(([name]) => isAllowed(name)))
  return { ...changes, values }
}
