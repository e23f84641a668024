import type { Refusal } from '../errors.ts'

type ErrorObject = Readonly<Record<string, unknown>>

/**
 * A refusal as a JSON:API document: one error object for each fault of each field (JSON:API 1.1, Errors). `about` is
 * where the reference tells more.
 */
export function jsonApiErrors(
  refusal: Refusal,
  about: string | undefined,
): { readonly jsonapi: object; readonly errors: readonly ErrorObject[] } {
  const { errors, source, message } = refusal
  const objects = errors
    ? Object.entries(errors).flatMap(([field, texts]) => texts.map((text) => fieldError(refusal, field, text)))
    : []
  const whole = { ...common(refusal), detail: message, ...(source ? { source } : {}) }
  const links = about === undefined ? {} : { links: { about } }
  const all = objects.length > 0 ? objects : [whole]
  return { jsonapi: { version: '1.1' }, errors: all.map((object) => ({ ...object, ...links })) }
}

function fieldError(refusal: Refusal, field: string, text: string): ErrorObject {
  const pointer = refusal.pointers[field]
  return {
    ...common(refusal),
    detail: field === 'base' ? text : `${field} ${text}`,
    ...(pointer === undefined ? {} : { source: { pointer } }),
    ...(field === 'base' ? {} : { meta: { field } }),
  }
}

const common = ({ status, error }: Refusal): ErrorObject => ({
  status: String(status),
  code: error.toLowerCase().replaceAll(/\W+/g, '_'),
  title: error,
})
