import { type Access, ownParts } from './access.ts'
import { type Actions, type CreateAction, embeddedOnly, type Resource, type WriteAction } from './declaration.ts'

/** Throws if a part of a declaration would silently have no effect. */
export function checkDeclaration(resource: Resource): void {
  const {
    name,
    table,
    actions,
    concealed,
    restricted,
    searched,
    views = [],
    fields,
    payload,
    index,
    dependents,
  } = resource
  if (actions !== embeddedOnly) checkActions(resource, actions)
  for (const { path, access } of views) checkListAccess(path, access)
  if (searched) checkListAccess(`${name}.searched`, searched.access)
  if (concealed) checkAccess(`${name}.concealed`, concealed.access)
  if (restricted) refuseOwn(`${name}.restricted`, restricted.access)
  for (const [field, { guard, sealedIn }] of Object.entries(fields)) {
    if (guard?.except) checkAccess(`${name}.${field}`, guard.except)
    if (sealedIn !== undefined && !sealedIn.startsWith(`${table}.`))
      throw new Error(`${name}.${field}: sealed for ${sealedIn}, which is not a column of ${table}`)
  }
  const { accepts = [], requires = [], extra = {}, nested = {}, pointed = {}, links = {} } = payload ?? {}
  const accepted = [...accepts, ...[extra, nested, pointed, links].flatMap((part) => Object.keys(part))]
  refuseTwice(`${name}.payload`, accepted)
  refuseUnknown(`${name}.payload.requires`, requires, accepted)
  const needed = Object.keys(fields).filter((field) => fields[field]?.stored?.required)
  refuseUnknown(`${name}.fields`, needed, accepted)
  for (const list of ['sort', 'filter', 'range', 'unindexed'] as const)
    refuseTwice(`${name}.index.${list}`, index[list])
  checkKinds(resource)
  refuseTwice(`${name}.dependents`, [...(dependents?.deleted ?? []), ...(dependents?.released ?? [])])
  if (actions === embeddedOnly) return
  for (const action of ['create', 'update'] as const) {
    const { ownMay } = actions[action] ?? {}
    refuseTwice(`${name}.${action}.ownMay`, ownMay)
    refuseUnknown(`${name}.${action}.ownMay`, ownMay, accepted)
  }
}

/** Checks the columns that searches, graphs and paths compare: SQL fails on a column of another kind. */
function checkKinds({ name, index, graph, identifiedBy, stored }: Resource): void {
  const typeOf = (field: string) => stored(field)?.kind.sqlType
  for (const [search, fields] of Object.entries(index.search ?? {})) {
    const other = fields.find((field) => typeOf(field) !== 'text')
    if (other !== undefined) throw new Error(`${name}.index.search.${search}: ${other} is not a column of text`)
  }
  const untimed = graph && [...graph.fields, graph.default].find((field) => !TIMES.includes(typeOf(field)))
  if (untimed !== undefined) throw new Error(`${name}.graph: ${untimed} is not a column of times or dates`)
  if (identifiedBy !== undefined && typeOf(identifiedBy) !== 'text')
    throw new Error(`${name}.identifiedBy: ${identifiedBy} is not a column of text`)
}

const TIMES: readonly unknown[] = ['timestamptz', 'date']

function checkActions({ name, concealed }: Resource, actions: Actions): void {
  const { index, show, graph = index, create, update, destroy, members = {}, bulk, queryActions = {} } = actions
  for (const [list, access] of Object.entries({ index, graph })) {
    if (concealed && !concealed.unless && concealed.access === access) checkAccess(`${name}.${list}`, access)
    else checkListAccess(`${name}.${list}`, access)
  }
  checkAccess(`${name}.show`, show)
  if (create) checkCreation(`${name}.create`, create)
  if (create && bulk) checkCreation(`${name}.${bulk.name}`, { ...create, access: bulk.access })
  const others: Readonly<Record<string, CheckedWrite | undefined>> = { update, destroy, ...members, ...queryActions }
  for (const [action, declared] of Object.entries(others)) if (declared) checkWrite(`${name}.${action}`, declared)
}

function checkCreation(of: string, action: CreateAction): void {
  checkWrite(of, action)
  const [own] = ownParts(action.access)
  if (own && typeof own.association !== 'string' && !action.perform && !action.performSeveral)
    throw new Error(`${of}: a new record has no rows of a join table yet, so own(…) by one would let anybody create it`)
}

type CheckedWrite = Pick<WriteAction, 'access' | 'ownMay'>

function checkWrite(of: string, { access, ownMay }: CheckedWrite): void {
  checkAccess(of, access)
  if (ownMay && ownParts(access).length === 0)
    throw new Error(`${of}: ownMay says nothing without own(…) in its access`)
}

/** Refuses `own(…)` for a list, which shows records of everybody. */
function checkListAccess(of: string, access: Access): void {
  checkAccess(of, access)
  refuseOwn(of, access)
}

function refuseOwn(of: string, access: Access): void {
  if (ownParts(access).length > 0)
    throw new Error(
      `${of}: own(…) is enforced for single records, and for lists of a resource that conceals all others by the same rule`,
    )
}

function checkAccess(of: string, access: Access): void {
  if (ownParts(access).length > 1)
    throw new Error(`${of}: of two own(…) in one access only one would be enforced; join their associations by anyOf`)
  refuseEmpty(of, access)
}

function refuseEmpty(of: string, access: Access): void {
  if (!('of' in access)) return
  if (access.of.length === 0) throw new Error(`${of}: ${access.kind}() of nothing`)
  for (const part of access.of) refuseEmpty(of, part)
}

function refuseTwice(of: string, names: readonly string[] = []): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`${of}: ${twice} is named twice`)
}

function refuseUnknown(of: string, names: readonly string[] = [], accepted: readonly string[]): void {
  const unknown = names.find((name) => !accepted.includes(name))
  if (unknown !== undefined) throw new Error(`${of}: the payload does not accept ${unknown}`)
}
