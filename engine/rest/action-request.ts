import { message } from '../base/languages/say.ts'
import { accessDenied, notFound } from '../errors.ts'
import type { Caller } from '../http/caller.ts'
import type { Params } from '../http/params.ts'
import type { Condition, ParentCondition, RecordKey } from './condition.ts'
import { type Grant, grantOf } from './declare/access.ts'
import type { Resource } from './declare/declaration.ts'
import { integerKind } from './declare/fields/kinds.ts'

/** The digests by which a repeated POST is recognized, so that it is not done twice. */
export type IdempotentRequest = { readonly digest: Buffer; readonly fingerprint: Buffer }

/** Conditional headers of a write (RFC 9110 §13.1). */
export type Preconditions = { readonly ifMatch?: string | undefined; readonly ifNoneMatch?: string | undefined }

/** A request as the actions see it. */
export type ActionRequest = {
  readonly caller: Caller
  readonly grant: Grant
  readonly query: Params
  readonly rawQuery: string
  readonly url: string
  readonly body: unknown
  /** Values of the path parameters. */
  readonly params: Readonly<Record<string, string>>
  /** The record that the path names, on everything but lists and creation. */
  readonly key: RecordKey | undefined
  /** The records that it lies below in the path, outermost first. */
  readonly parents: readonly ParentCondition[]
  readonly prefersRecord: boolean
  /** Whether what is answered may be some seconds old. */
  readonly mayBeStale: boolean
  readonly idempotent: IdempotentRequest | undefined
  readonly preconditions?: Preconditions
  /** Returns the representations of a record in plain JSON whose ETags the client may have. Absent for plain JSON. */
  readonly representationsOf?: (record: string, id: number) => Promise<readonly string[]>
}

/** The record that the path names. */
export function keyOf({ key }: ActionRequest): RecordKey {
  if (!key) throw new Error('the route names no record')
  return key
}

/** Returns the conditions by which the path and the caller's rights narrow the resource. */
export function narrowing(
  { concealed }: Resource,
  { parents, caller }: Pick<ActionRequest, 'parents' | 'caller'>,
): readonly Condition[] {
  if (!concealed) return parents
  const grant = grantOf(concealed.access, caller)
  if (grant && !grant.ownAssociation) return parents
  const owner = grant?.ownAssociation && caller.resourceOwnerId !== null ? caller.resourceOwnerId : undefined
  const own =
    owner === undefined || !grant?.ownAssociation ? undefined : { association: grant.ownAssociation, person: owner }
  const visible: Condition = { kind: 'visible', name: concealed.unless, own }
  if (concealed.application === undefined) return [...parents, visible]
  const values = [caller.application.id]
  return [...parents, visible, { kind: 'filter', name: concealed.application, type: integerKind, values }]
}

/** 403 for a record of somebody else. */
export const notOwn = () =>
  accessDenied('You are not authorized to access this page. This token gives access to records of its owner only.')

/** 404 in words. */
export const noRecord = (resource: Resource, key: RecordKey) =>
  notFound(
    message('There is no {what} {id}.', {
      what: resource.singular,
      id: 'id' in key ? key.id : JSON.stringify(key.name.slice(0, 80)),
    }),
  )

/** 404 of `/v2/me` with a token that stands for nobody (spec: errors 9). */
export const noOwner = () =>
  notFound('This token has no resource owner: it belongs to an application. Use a token that a person granted.')
