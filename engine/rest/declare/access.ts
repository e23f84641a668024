import { type FilledMessage, message } from '../../base/languages/say.ts'
import { accessDenied, HttpError } from '../../errors.ts'
import { REALM } from '../../http/authenticate.ts'
import type { Caller } from '../../http/caller.ts'
import type { Association } from './association.ts'

/** Requirement of a route. Every route must declare one. */
export type Access =
  | { readonly kind: 'open' }
  | RoleAccess
  | ScopeAccess
  | { readonly kind: 'person' }
  | { readonly kind: 'all'; readonly of: readonly Access[] }
  | { readonly kind: 'either'; readonly of: readonly Access[] }
  | { readonly kind: 'own'; readonly association: Association }

export type RoleAccess = {
  readonly kind: 'role'
  readonly role: string
  /** The role and every role that includes it. */
  readonly sufficient: readonly string[]
}

export type ScopeAccess = {
  readonly kind: 'scope'
  readonly scope: string
  /** Rights that the scope grants. A refusal names them. */
  readonly meaning: string
}

export type CommonAccess = {
  /** Scopes that grant rights in the API. Every token needs one of them. */
  readonly scopes: readonly string[]
  /** Scope that a refusal names if the token has none of `scopes`. */
  readonly defaultScope: ScopeAccess
  /** Role that may choose the ids of new records. */
  readonly chosenIds: RoleAccess
  /** Role that may export whole lists without spending its rate limit (spec: lists 19). */
  readonly wholeLists: RoleAccess
}

/** Requires that the application has the role, or one of `sufficient`. */
export const role = (name: string, sufficient: readonly string[] = [name]): RoleAccess => ({
  kind: 'role',
  role: name,
  sufficient,
})

/** Requires a scope of the token. `meaning` names the rights that the scope grants. */
export const scope = (name: string, meaning: string): ScopeAccess => ({ kind: 'scope', scope: name, meaning })

/** Allows every token that `requireApiRights` accepts (spec: access 5). */
export const open: Access = { kind: 'open' }

/** Requires a token that acts for a user (spec: access 6). */
export const person: Access = { kind: 'person' }

/** Requires that the record is associated with the user of the token (spec: access 1, 7). */
export const own = (association: Association): Access => ({ kind: 'own', association })

export const all = (...of: readonly Access[]): Access => ({ kind: 'all', of })
export const either = (...of: readonly Access[]): Access => ({ kind: 'either', of })

/** Returns the access of the usual actions: `read` for `index` and `show`, `write` for the others. */
export const permit = ({ read, write }: { readonly read: Access; readonly write: Access }) => ({
  index: read,
  show: read,
  create: { access: write },
  update: { access: write },
  destroy: { access: write },
})

/** Throws 403 if no scope grants a right in the API (spec: access 5). Every route except `/oauth` calls it first. */
export function requireApiRights(
  { scopes, defaultScope }: Pick<CommonAccess, 'scopes' | 'defaultScope'>,
  caller: Pick<Caller, 'scopes'>,
): void {
  if (!hasApiRights({ scopes }, caller)) throw missingScope(defaultScope)
}

export const hasApiRights = ({ scopes }: Pick<CommonAccess, 'scopes'>, caller: Pick<Caller, 'scopes'>): boolean =>
  caller.scopes.some((name) => scopes.includes(name))

export const hasRole = ({ application }: Caller, { sufficient }: RoleAccess): boolean =>
  application.roles.some((granted) => sufficient.includes(granted))

/** Records that a caller may use: all of them, or only the caller's own. */
export type Grant = { readonly ownAssociation: Association | undefined }

/** Returns the grant of a caller, without a query (spec: access 4). Throws 403 if access is denied. */
export function decide(access: Access, caller: Caller): Grant {
  const decision = grantOrRefusal(access, caller)
  if (typeof decision === 'function') throw decision()
  return decision
}

/** Returns a function that creates the refusal, or undefined if access is granted. Creating an error is costly. */
export function refusalOf(access: Access, caller: Caller): (() => HttpError) | undefined {
  const decision = grantOrRefusal(access, caller)
  return typeof decision === 'function' ? decision : undefined
}

export function grantOf(access: Access, caller: Caller): Grant | undefined {
  const decision = grantOrRefusal(access, caller)
  return typeof decision === 'function' ? undefined : decision
}

const EVERYTHING: Grant = { ownAssociation: undefined }

function grantOrRefusal(access: Access, caller: Caller): Grant | (() => HttpError) {
  switch (access.kind) {
    case 'open':
      return EVERYTHING
    case 'role':
      return hasRole(caller, access) ? EVERYTHING : () => missingRole(access)
    case 'scope':
      return caller.scopes.includes(access.scope) ? EVERYTHING : () => missingScope(access)
    case 'person':
      return caller.resourceOwnerId === null ? () => missingRole(access) : EVERYTHING
    case 'own':
      return caller.resourceOwnerId === null ? () => missingRole(access) : { ownAssociation: access.association }
    case 'all': {
      let grant = EVERYTHING
      for (const part of access.of) {
        const decision = grantOrRefusal(part, caller)
        if (typeof decision === 'function') return decision
        if (decision.ownAssociation) grant = decision
      }
      return grant
    }
    case 'either': {
      const decisions = access.of.map((part) => grantOrRefusal(part, caller))
      const grants = decisions.filter((decision): decision is Grant => typeof decision !== 'function')
      return grants.find((grant) => !grant.ownAssociation) ?? grants[0] ?? (() => nearestRefusal(access, caller))
    }
  }
}

/** Returns the refusal of all alternatives. It names the scope if the caller lacks only a scope. */
function nearestRefusal(access: Access & { readonly kind: 'either' }, caller: Caller): HttpError {
  const scoped = { ...caller, scopes: [...caller.scopes, ...scopesIn(access)] }
  const nearest = access.of.find((part) => grantOf(part, scoped))
  return (nearest && refusalOf(nearest, caller)?.()) ?? missingRole(access)
}

const missingRole = (access: Access) =>
  accessDenied(
    message('You are not authorized to access this page. It needs {roles}.', { roles: describeAccess(access) }),
  )

/** Returns a 403 that names the missing scope (spec: errors 6). */
function missingScope({ scope, meaning }: ScopeAccess): HttpError {
  const needs = `The action need the following scopes: [${scope}]`
  return new HttpError(403, message('Insufficient scope. {what} ({scopes})', { what: needs, scopes: meaning }), {
    headers: {
      'WWW-Authenticate': `Bearer realm="${REALM}", error="insufficient_scope", error_description="${needs}", scope="${scope}"`,
      Pragma: 'no-cache',
    },
    reason: 'scope',
  })
}

const scopesIn = (access: Access): readonly string[] =>
  access.kind === 'scope' ? [access.scope] : 'of' in access ? access.of.flatMap(scopesIn) : []

export const ownParts = (access: Access): readonly (Access & { readonly kind: 'own' })[] =>
  access.kind === 'own' ? [access] : 'of' in access ? access.of.flatMap(ownParts) : []

export function describeAccess(access: Access): FilledMessage {
  switch (access.kind) {
    case 'open':
      return message('any token')
    case 'role':
      return message('the role {role}', { role: access.role })
    case 'scope':
      return message('the scope {scope}', { scope: access.scope })
    case 'person':
      return message('a token that stands for a person')
    case 'own':
      return message("a token of the record's own user")
    case 'all':
      return access.of.map(describePart).reduce((one, other) => message('{one} and {other}', { one, other }))
    case 'either':
      return joined(access.of, (one, other) => message('{one}, or {other}', { one, other }))
  }
}

/** Describes access to all records, without the parts that give users access to their own. */
export const describeFullAccess = (access: Access): FilledMessage => describeAccess(withoutOwn(access) ?? access)

function withoutOwn(access: Access): Access | undefined {
  if (access.kind === 'own') return undefined
  if (access.kind !== 'all' && access.kind !== 'either') return access
  const parts = access.of.map(withoutOwn)
  const left = parts.filter((part) => part !== undefined)
  if (access.kind === 'all' && left.length < parts.length) return undefined
  return left.length > 1 ? { kind: access.kind, of: left } : left[0]
}

const describePart = (access: Access) =>
  access.kind === 'either'
    ? message('either {parts}', {
        parts: joined(access.of, (one, other) => message('{one} or {other}', { one, other })),
      })
    : describeAccess(access)

const joined = (parts: readonly Access[], join: (one: FilledMessage, other: FilledMessage) => FilledMessage) =>
  parts.map(describeAccess).reduce(join)
