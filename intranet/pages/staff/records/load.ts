import { HttpError, notFound } from '@campus/engine/errors'
import type { Caller } from '@campus/engine/http/caller'
import type { Call } from '@campus/engine/rest/in-process'
import { type ApiAnswer, callApi } from '../../ask.ts'
import type { PersonPageContext } from '../../page-context.ts'
import { listRoute, nameOf, type Routed, recordRoute, type ShownRecord, unwrapped } from './resource.ts'

export const noPage = () => notFound('There is no page at this address.')

/** Throws 404 if the API has no such route. */
export async function call<T>(context: PersonPageContext, caller: Caller, asked: Call): Promise<ApiAnswer<T>> {
  if (!context.dependencies.api.has(asked.method, asked.path)) throw noPage()
  return callApi(context, caller, asked)
}

/** Throws 403 and 404. */
export async function loadRecord(context: PersonPageContext, caller: Caller, resource: Routed, id: string | number) {
  const answer = await call<ShownRecord>(context, caller, {
    method: 'GET',
    path: recordRoute(resource),
    params: { id },
  })
  const record = unwrapped(resource, answer.value)
  return { answer, record, id: Number(record.id ?? id), name: nameOf(record) }
}

/** Returns at most two ids. */
async function idsOfName(context: PersonPageContext, caller: Caller, resource: Routed, name: string) {
  const { sort, filter = sort, search = {} } = resource.index
  const byName = ['login', 'name', 'slug', 'title'].filter((field) => filter.includes(field))
  const queries: Record<string, string>[] = [
    ...byName.map((field) => ({ [`filter[${field}]`]: name })),
    ...(Object.keys(search).length > 0 ? [{ search: name }] : []),
  ]
  for (const query of queries) {
    const { value } = await call<readonly ShownRecord[]>(context, caller, {
      method: 'GET',
      path: listRoute(resource),
      query: { ...query, per_page: 2 },
    })
    if (value.length > 0) return value.map((one) => Number(unwrapped(resource, one).id))
  }
  return []
}

/** Finds a record by id or name. Returns undefined if the name is unknown or ambiguous. */
export async function findByName(
  context: PersonPageContext,
  caller: Caller,
  resource: Routed,
  text: string,
): Promise<number | undefined> {
  const [, id] = /^#?(\d{1,10})$/.exec(text) ?? []
  if (id !== undefined) return Number(id)
  try {
    const [only, ...others] = await idsOfName(context, caller, resource, text)
    return others.length === 0 ? only : undefined
  } catch (error) {
    // The list rejects a text that names nothing.
    if (error instanceof HttpError && error.status < 500) return undefined
    throw error
  }
}
