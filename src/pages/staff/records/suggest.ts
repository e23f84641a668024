import { HttpError } from '../../../errors.ts'
import type { Caller } from '../../../http/caller.ts'
import { page, part } from '../../page.ts'
import type { PersonPageContext } from '../../page-context.ts'
import { staffCaller } from './caller.ts'
import { call } from './load.ts'
import { listRoute, nameOf, RECORDS_PATH, type Routed, resourceOf, type ShownRecord, unwrapped } from './resource.ts'

const SUGGESTED = 8

/** /staff/records/:resource/suggestions?q=ada: records whose names hold what was typed, as JSON for the script. */
export const suggestions = page({
  path: `${RECORDS_PATH}/:resource/suggestions`,
  access: 'staff',
  async show(context) {
    const resource = resourceOf(context)
    const text = context.query.text('q').trim()
    const found = text === '' ? [] : await recordsNamed(context, await staffCaller(context), resource, text)
    return part('application/json', JSON.stringify(found))
  },
})

async function recordsNamed(context: PersonPageContext, caller: Caller, resource: Routed, text: string) {
  const { search = {}, sort, filter = sort } = resource.index
  const query: Readonly<Record<string, string>> | undefined =
    Object.keys(search).length > 0 ? { search: text } : filter.includes('name') ? { 'filter[name]': text } : undefined
  if (!query) return []
  try {
    const { value } = await call<readonly ShownRecord[]>(context, caller, {
      ...{ method: 'GET', path: listRoute(resource) },
      query: { ...query, per_page: SUGGESTED },
    })
    return value.map((one) => unwrapped(resource, one)).map((record) => ({ id: record.id, name: nameOf(record) }))
  } catch (error) {
    if (error instanceof HttpError && error.status < 500) return []
    throw error
  }
}
