import { notFound } from '@campus/engine/errors'
import type { Form } from './form.ts'
import type { PageContext } from './page-context.ts'

/** The id in the page's path. Throws 404 for what is none. */
export function recordId({ params }: Pick<PageContext, 'params'>): number {
  const id = idOf(params.id ?? '')
  if (id === undefined) throw notFound('There is no page at this address.')
  return id
}

/** Returns the id in a field of a form, or 0 if it is not a valid id. No record has the id 0. */
export const idIn = (form: Pick<Form, 'text'>, field: string): number => idOf(form.text(field)) ?? 0

/** Returns the id in a text, or undefined if the text is not a valid id. */
function idOf(text: string): number | undefined {
  const id = Number(text)
  return /^\d{1,10}$/.test(text) && id <= 2_147_483_647 ? id : undefined
}
