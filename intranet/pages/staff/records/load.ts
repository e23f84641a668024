import { HttpError, notFound } from '@campus/engine/errors'
import type { Call } from '@campus/engine/rest/in-process'
import { type ApiAnswer, callApi } from '../../ask.ts'
import type { StaffContext } from './caller.ts'
import { listRoute, nameOf, type Routed, recordRoute, type ShownRecord, unwrapped } from './resource.ts'

export const noPage = () => notFound('There is no page at this address.')

/** Throws 404 if the API has no such route. */
export async function call<T>(context: StaffContext, asked: Call): Promise<ApiAnswer<T>> {
  if (!context.dependencies.api.has(asked.method, asked.path)) throw noPage()
  return callApi(context, context.caller, asked)
}

/** Throws 403 and 404. */
export async function loadRecord(context: StaffContext, resource: Routed) {
  const { id = '' } = context.params
  const answer = await call<ShownRecord>(context, {
    method: 'GET',
    path: recordRoute(resource),
    params: { id },
  })
  const record = unwrapped(resource, answer.value)
  return { answer, record, id: Number(record.id ?? id), name: nameOf(record) }
}

async function idsOfName(context: StaffContext, resource: Routed, name: string) {
  const { sort, filter = sort, search = {} } = resource.index
  const byName = ['login', 'name', 'slug', 'title'].filter((field) => filter.includes(field))
  const queries: Record<string, string>[] = [
    ...byName.map((field) => ({ [`filter[${field}]`]: name })),
    ...(Object.keys(search).length > 0 ? [{ search: name }] : []),
  ]
  for (const query of queries) {
    const { value } = await call<readonly ShownRecord[]>(context, {
      method: 'GET',
      path: listRoute(resource),
      query: { ...query, per_page: 2 },
    })
    if (value.length > 0) return value.map((one) => Number(unwrapped(resource, one).id))
  }
  return []
}

/** Finds a record by id or name. Returns undefined if the name is unknown or ambiguous. */
export async function findByName(context: StaffContext, resource: Routed, text: string): Promise<number | undefined> {
  const [, id] = /^#?(\d{1,10})$/.exec(text) ?? []
  if (id !== undefined) return Number(id)
  try {
    const [only, ...others] = await idsOfName(context, resource, text)
    return others.length === 0 ? only : undefined
  } catch (error) {
    // The list rejects a text that names nothing.
    if (error instanceof HttpError && error.status < 500) return undefined
    throw error
  }
}
