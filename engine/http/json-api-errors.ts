import type { Message } from '../base/languages/say.ts'
import { faultInEnglish, type HttpError } from '../errors.ts'

type ErrorObject = Readonly<Record<string, unknown>>

/** Returns an error document of JSON:API 1.1, with an error object for each error of each field. `about` links to the reference. */
export function jsonApiErrors(
  httpError: HttpError,
  about: string | undefined,
): { readonly jsonapi: object; readonly errors: readonly ErrorObject[] } {
  const { errors, source, message } = httpError
  const objects = errors
    ? Object.entries(errors).flatMap(([field, texts]) => texts.map((text) => fieldError(httpError, field, text)))
    : []
  const whole = { ...common(httpError), detail: message, ...(source ? { source } : {}) }
  const links = about === undefined ? {} : { links: { about } }
  const all = objects.length > 0 ? objects : [whole]
  return { jsonapi: { version: '1.1' }, errors: all.map((object) => ({ ...object, ...links })) }
}

function fieldError(httpError: HttpError, field: string, text: Message): ErrorObject {
  const pointer = httpError.pointers[field]
  return {
    ...common(httpError),
    detail: faultInEnglish(field, text),
    ...(pointer === undefined ? {} : { source: { pointer } }),
    ...(field === 'base' ? {} : { meta: { field } }),
  }
}

const common = ({ status, error }: HttpError): ErrorObject => ({
  status: String(status),
  code: error.toLowerCase().replaceAll(/\W+/g, '_'),
  title: error,
})
