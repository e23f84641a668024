import { message } from '../base/languages/say.ts'
import { accessDenied, notFound } from '../errors.ts'
import type { Caller } from '../http/caller.ts'
import type { Params } from '../http/params.ts'
import type { Condition, ParentCondition, RecordKey } from './condition.ts'
import { type Grant, grantOf } from './declare/access.ts'
import type { Resource } from './declare/declaration.ts'
import { integerKind } from './declare/fields/kinds.ts'

export type IdempotentRequest = { readonly digest: Buffer; readonly fingerprint: Buffer }

/** Conditional headers of a write (RFC 9110 §13.1). */
export type Preconditions = { readonly ifMatch?: string | undefined; readonly ifNoneMatch?: string | undefined }

export type ActionRequest = {
  readonly caller: Caller
  readonly grant: Grant
  readonly query: Params
  readonly rawQuery: string
  readonly url: string
  readonly body: unknown
  readonly params: Readonly<Record<string, string>>
  readonly key: RecordKey | undefined
  readonly parents: readonly ParentCondition[]
  readonly prefersRecord: boolean
  readonly mayBeStale: boolean
  readonly idempotent: IdempotentRequest | undefined
  readonly preconditions?: Preconditions
  /** Returns the representations whose ETags the client may have. Absent for plain JSON. */
  readonly representationsOf?: (record: string, id: number) => Promise<readonly string[]>
}

export function keyOf({ key }: ActionRequest): RecordKey {
  if (!key) throw new Error('the route names no record')
  return key
}

export function narrowing(
  { concealed }: Resource,
  { parents, caller }: Pick<ActionRequest, 'parents' | 'caller'>,
): readonly Condition[] {
  if (!concealed) return parents
  const grant = grantOf(concealed.access, caller)
  if (grant && !grant.ownAssociation) return parents
  const own =
    grant?.ownAssociation && caller.resourceOwnerId !== null
      ? { association: grant.ownAssociation, person: caller.resourceOwnerId }
      : undefined
  const visible: Condition = { kind: 'visible', name: concealed.unless, own }
  if (concealed.application === undefined) return [...parents, visible]
  const values = [caller.application.id]
  return [...parents, visible, { kind: 'filter', name: concealed.application, type: integerKind, values }]
}

export const notOwn = () =>
  accessDenied('You are not authorized to access this page. This token gives access to records of its owner only.')

export const noRecord = (resource: Resource, key: RecordKey) =>
  notFound(
    message('There is no {what} {id}.', {
      what: resource.singular,
      id: 'id' in key ? key.id : JSON.stringify(key.name.slice(0, 80)),
    }),
  )

/** 404 of `/v2/me` without a user (spec: errors 9). */
export const noOwner = () =>
  notFound('This token has no resource owner: it belongs to an application. Use a token that a person granted.')
