import { createHmac, timingSafeEqual } from 'node:crypto'
import { isRecord } from '@campus/engine/base/narrow'
import { HttpError } from '@campus/engine/errors'
import type { FastifyRequest } from 'fastify'

/** The name of the field in every form. */
export const CSRF_FIELD = 'csrf_token'

/** The token of a browser's forms: it follows from the key in the cookie, and the key does not follow from it. */
export const csrfTokenOf = (key: string): string => createHmac('sha256', key).update('form').digest('base64url')

/** Checks, before the form is read, that it may come from a page of ours, from a browser with a key. Throws 403. */
export function checkSender(request: FastifyRequest, baseUrl: string, key: string | undefined): void {
  const { origin } = request.headers
  if (origin !== undefined && origin !== new URL(baseUrl).origin) throw foreignForm()
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') throw foreignForm()
  if (key === undefined) throw staleForm()
}

/** Returns the text fields of a form without a CSRF token field; undefined for a form with the field. */
export function foreignFields({ body }: FastifyRequest): URLSearchParams | undefined {
  const fields = isRecord(body) ? body : {}
  if (Object.hasOwn(fields, CSRF_FIELD)) return undefined
  return new URLSearchParams(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** Reports whether a form carries the CSRF token of its browser. */
export function hasToken({ body }: FastifyRequest, { csrfToken }: { readonly csrfToken: string }): boolean {
  const token = isRecord(body) ? body[CSRF_FIELD] : undefined
  return typeof token === 'string' && isEqual(token, csrfToken)
}

const foreignForm = () =>
  new HttpError(403, 'This form was sent from a page of another site, so nothing was done.', { error: 'Form refused' })

/** Returns the error for a form without the CSRF token of its browser. */
export const staleForm = () =>
  new HttpError(
    403,
    'This form is no longer valid: it was sent before, you signed in or out since, or cookies are switched off. Sending it now did nothing. Open the page again to see what is saved.',
    { error: 'Form refused' },
  )

function isEqual(text: string, expected: string): boolean {
  const [one, other] = [Buffer.from(text), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
