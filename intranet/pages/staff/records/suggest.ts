import { HttpError } from '@campus/engine/errors'
import type { Call } from '@campus/engine/rest/in-process'
import { page, part } from '../../page.ts'
import { type StaffContext, staffContext } from './caller.ts'
import { call } from './load.ts'
import { listRoute, nameOf, RECORDS_PATH, type Routed, resourceOf, type ShownRecord, unwrapped } from './resource.ts'

const SUGGESTED = 8
const MAX_PER_PAGE = 100

export const suggestions = page({
  path: `${RECORDS_PATH}/:resource/suggestions`,
  access: 'staff',
  async show(context) {
    const resource = resourceOf(context)
    const text = context.query.text('q').trim()
    const found = text === '' ? [] : await recordsNamed(await staffContext(context), resource, text)
    return part('application/json', JSON.stringify(found))
  },
})

/** Uses the list's search. Resources without a search are small, so one page of them is filtered here. */
async function recordsNamed(context: StaffContext, resource: Routed, text: string) {
  const isSearched = Object.keys(resource.index.search ?? {}).length > 0
  const query: Call['query'] = isSearched ? { search: text, per_page: SUGGESTED } : { per_page: MAX_PER_PAGE }
  try {
    const { value } = await call<readonly ShownRecord[]>(context, {
      method: 'GET',
      path: listRoute(resource),
      query,
    })
    return value
      .map((one) => unwrapped(resource, one))
      .map((record) => ({ id: record.id, name: nameOf(record) }))
      .filter(({ name }) => isSearched || name.toLowerCase().includes(text.toLowerCase()))
      .slice(0, SUGGESTED)
  } catch (error) {
    if (error instanceof HttpError && error.status < 500) return []
    throw error
  }
}
