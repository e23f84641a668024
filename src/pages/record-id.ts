import { notFound } from '../errors.ts'
import type { PageContext } from './page-context.ts'

/** The id in the page's path. Throws 404 for what is none. */
export function recordId({ params }: Pick<PageContext, 'params'>): number {
  const id = Number(params.id)
  if (!/^\d{1,10}$/.test(params.id ?? '') || id > 2_147_483_647) throw notFound('There is no page at this address.')
  return id
}
