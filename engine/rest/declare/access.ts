import { type FilledMessage, message } from '../../base/languages/say.ts'
import { accessDenied, HttpError } from '../../errors.ts'
import { REALM } from '../../http/authenticate.ts'
import type { Caller } from '../../http/caller.ts'
import type { Association } from './association.ts'

/** Requirement for a route. A route without a requirement prevents the start. */
export type Access =
  | { readonly kind: 'open' }
  | RoleAccess
  | ScopeAccess
  | { readonly kind: 'person' }
  | { readonly kind: 'all'; readonly of: readonly Access[] }
  | { readonly kind: 'either'; readonly of: readonly Access[] }
  | { readonly kind: 'own'; readonly association: Association }

/** The application has the role, or another of the roles that suffice. */
export type RoleAccess = {
  readonly kind: 'role'
  readonly role: string
  /** The role itself, and the roles that include it. */
  readonly sufficient: readonly string[]
}

/** The token carries the scope. */
export type ScopeAccess = {
  readonly kind: 'scope'
  readonly scope: string
  /** Rights that the scope grants, in the words of a refusal. */
  readonly meaning: string
}

/** Access that concerns no single resource. */
export type CommonAccess = {
  /** Scopes that grant rights in the API. Every token needs one of them. */
  readonly scopes: readonly string[]
  /** The scope that refusals name if a token has none of these scopes. */
  readonly defaultScope: ScopeAccess
  /** Access to choosing the ids of new records. */
  readonly chosenIds: RoleAccess
  /** Access to whole lists in every form, at no cost in rate (spec: lists 19). */
  readonly wholeLists: RoleAccess
}

/** The application has one of the roles that suffice: this role, and those that include it. */
export const role = (name: string, sufficient: readonly string[] = [name]): RoleAccess => ({
  kind: 'role',
  role: name,
  sufficient,
})

/** The token carries this scope. `meaning` names the rights that it grants, in the words of a refusal. */
export const scope = (name: string, meaning: string): ScopeAccess => ({ kind: 'scope', scope: name, meaning })

/** Open to every token that `requireApiRights` accepts (spec: access 5). */
export const open: Access = { kind: 'open' }

/** The token stands for somebody (spec: access 6). */
export const person: Access = { kind: 'person' }

/** The record is associated with the token's resource owner: by a column, or through a join table (spec: access 1, 7). */
export const own = (association: Association): Access => ({ kind: 'own', association })

export const all = (...of: readonly Access[]): Access => ({ kind: 'all', of })
export const either = (...of: readonly Access[]): Access => ({ kind: 'either', of })

/** The access to the actions that most resources have: some may read the records, others write them. */
export const permit = ({ read, write }: { readonly read: Access; readonly write: Access }) => ({
  index: read,
  show: read,
  create: { access: write },
  update: { access: write },
  destroy: { access: write },
})

/**
 * Throws 403 if no scope of a token grants a right in the API (spec: access 5). Every route that a token opens, except
 * those under `/oauth`, calls it before anything else is decided.
 */
export function requireApiRights(
  { scopes, defaultScope }: Pick<CommonAccess, 'scopes' | 'defaultScope'>,
  caller: Pick<Caller, 'scopes'>,
): void {
  if (!hasApiRights({ scopes }, caller)) throw missingScope(defaultScope)
}

/** Reports whether any scope of a token grants a right in the API. */
export const hasApiRights = ({ scopes }: Pick<CommonAccess, 'scopes'>, caller: Pick<Caller, 'scopes'>): boolean =>
  caller.scopes.some((name) => scopes.includes(name))

/** Reports whether the application of a caller has a role that suffices. */
export const hasRole = ({ application }: Caller, { sufficient }: RoleAccess): boolean =>
  application.roles.some((granted) => sufficient.includes(granted))

/** Grant of a caller: all records, or only the caller's own. */
export type Grant = { readonly ownAssociation: Association | undefined }

/** Decides before any query (spec: access 4). Throws 403 that says what was missing. */
export function decide(access: Access, caller: Caller): Grant {
  const decision = grantOrRefusal(access, caller)
  if (typeof decision === 'function') throw decision()
  return decision
}

/** Makes the refusal that the caller would meet; undefined when they may. Only made to be thrown, since an error is costly. */
export function refusalOf(access: Access, caller: Caller): (() => HttpError) | undefined {
  const decision = grantOrRefusal(access, caller)
  return typeof decision === 'function' ? decision : undefined
}

/** Returns the grant of a caller, or undefined if access is denied. */
export function grantOf(access: Access, caller: Caller): Grant | undefined {
  const decision = grantOrRefusal(access, caller)
  return typeof decision === 'function' ? undefined : decision
}

function grantOrRefusal(access: Access, caller: Caller): Grant | (() => HttpError) {
  switch (access.kind) {
    case 'open':
      return { ownAssociation: undefined }
    case 'role':
      return hasRole(caller, access) ? { ownAssociation: undefined } : () => missingRole(describeAccess(access))
    case 'scope':
      return caller.scopes.includes(access.scope) ? { ownAssociation: undefined } : () => missingScope(access)
    case 'person':
      return caller.resourceOwnerId === null ? () => missingRole(describeAccess(access)) : { ownAssociation: undefined }
    case 'own':
      return caller.resourceOwnerId === null
        ? () => missingRole(describeAccess(access))
        : { ownAssociation: access.association }
    case 'all': {
      let grant: Grant = { ownAssociation: undefined }
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

/** Returns the refusal if all alternatives refuse. If the caller lacks only a scope, the refusal names the scope. */
function nearestRefusal(access: Access & { readonly kind: 'either' }, caller: Caller): HttpError {
  const scoped = { ...caller, scopes: [...caller.scopes, ...scopesIn(access)] }
  const nearest = access.of.find((part) => grantOf(part, scoped))
  return (nearest && refusalOf(nearest, caller)?.()) ?? missingRole(describeAccess(access))
}

const missingRole = (needs: FilledMessage) =>
  accessDenied(message('You are not authorized to access this page. It needs {roles}.', { roles: needs }))

/** 403 that names the missing scopes (spec: errors 6). */
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

/** Each `own(…)` in a rule. */
export const ownParts = (access: Access): readonly (Access & { readonly kind: 'own' })[] =>
  access.kind === 'own' ? [access] : 'of' in access ? access.of.flatMap(ownParts) : []

/** The rule in words, for refusals and documents. */
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

/** The rule in words without what it gives people for their own records: what writing everything needs. */
export const describeFullAccess = (access: Access): FilledMessage => describeAccess(withoutOwn(access) ?? access)

function withoutOwn(access: Access): Access | undefined {
  if (access.kind === 'own') return undefined
  if (access.kind !== 'all' && access.kind !== 'either') return access
  const parts = access.of.map(withoutOwn)
  const left = parts.filter((part) => part !== undefined)
  if (access.kind === 'all' && left.length < parts.length) return undefined
  return left.length > 1 ? { kind: access.kind, of: left } : left[0]
}

/** Alternatives among requirements: where they begin must be said. */
const describePart = (access: Access) =>
  access.kind === 'either'
    ? message('either {parts}', {
        parts: joined(access.of, (one, other) => message('{one} or {other}', { one, other })),
      })
    : describeAccess(access)

const joined = (parts: readonly Access[], join: (one: FilledMessage, other: FilledMessage) => FilledMessage) =>
  parts.map(describeAccess).reduce(join)
