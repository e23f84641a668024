import type { Action } from '../../actions.ts'
import { defined } from '../../base/defined.ts'
import { message } from '../../base/languages/say.ts'
import type { Handle } from '../../database/database.ts'
import { unprocessable } from '../../errors.ts'
import type { Resource } from '../declare/declaration.ts'
import { quote } from '../declare/identifiers.ts'
import type { RequestContext } from '../request-context.ts'
import { changesOf, isEmpty } from './changes.ts'
import { type Element, isNamedByOther, keyColumn, orThrow, type Parsed } from './parse.ts'
import { type NestedPlan, planDelete, planInsert, planUpdate, type WritePlan } from './plan.ts'
import { sameAs } from './read-payload.ts'

/**
 * What becomes of an element of the record `holderId`; undefined where it changes nothing. Its row is locked.
 * Throws 422 for what is wrong with it.
 */
export async function planElement(
  context: RequestContext,
  { resource, nested }: Pick<NestedPlan, 'resource' | 'nested'>,
  holderId: number,
  parsed: Parsed<Element>,
): Promise<WritePlan | undefined> {
  const { registry } = context.engine
  const { by } = nested
  // biome-ignore lint/plugin: the payload of the element’s resource gives these actions what they take
  const actions = nested.actions as Readonly<Partial<Record<'create' | 'update' | 'destroy', Action>>> | undefined
  const element = orThrow(parsed)
  const { id: named, holder } = element
  if (holder !== undefined && holder !== holderId) {
    throw unprocessable({ [by]: [sameAs('record around it', holderId)] })
  }
  const id = named === undefined ? undefined : await findElement(context.handle, resource, by, holderId, named)
  if (id === undefined && named !== undefined && !isNamedByOther(resource)) {
    throw unprocessable({ id: [message('{id} is no element of this record', { id: named })] })
  }
  if (element.isRemoval) {
    return id === undefined ? undefined : planDelete(resource, id, { perform: actions?.destroy })
  }
  if (id === undefined) {
    const payload = orThrow(defined(element.asNew))
    const values = { ...payload.values, [by]: holderId }
    return planInsert(registry, resource, { ...payload, values }, { perform: actions?.create })
  }
  const changes = await changesOf(context, resource, id, orThrow(defined(element.asChange)))
  return isEmpty(changes) ? undefined : planUpdate(registry, resource, id, changes, { perform: actions?.update })
}

/** The id of the row behind an element, locked; undefined where the record has none such. */
async function findElement(
  tx: Handle,
  resource: Resource,
  by: string,
  holderId: number,
  named: number,
): Promise<number | undefined> {
  const [table, key] = [quote(resource.table), quote(keyColumn(resource))]
  const [row] = await tx.rows(`select id from ${table} where ${key} = $1 and ${quote(by)} = $2 for update`, [
    named,
    holderId,
  ])
  return row && Number(row[0])
}
