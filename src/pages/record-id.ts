import { notFound } from '../errors.ts'
import type { Form } from './form.ts'
import type { PageContext } from './page-context.ts'

/** The id in the page's path. Throws 404 for what is none. */
export function recordId({ params }: Pick<PageContext, 'params'>): number {
  const id = idOf(params.id ?? '')
  if (id === undefined) throw notFound('There is no page at this address.')
  return id
}

/** Returns the id in a field of a form, or 0, which no record has. */
export const idIn = (form: Pick<Form, 'text'>, field: string): number => idOf(form.text(field)) ?? 0

/** Returns undefined for a text that is no id of the database. */
function idOf(text: string): number | undefined {
  const id = Number(text)
  return /^\d{1,10}$/.test(text) && id <= 2_147_483_647 ? id : undefined
}
