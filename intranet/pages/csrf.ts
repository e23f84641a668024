import { createHmac, timingSafeEqual } from 'node:crypto'
import { isRecord } from '@campus/engine/base/narrow'
import { HttpError } from '@campus/engine/errors'
import type { FastifyRequest } from 'fastify'

export const CSRF_FIELD = 'csrf_token'

/** Derives the token of a browser's forms from its key. The key cannot be derived from the token. */
export const csrfTokenOf = (key: string): string => createHmac('sha256', key).update('form').digest('base64url')

/** Throws 403 if a form may come from another site or a browser without a key. Runs before the form is parsed. */
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

export function hasToken({ body }: FastifyRequest, { csrfToken }: { readonly csrfToken: string }): boolean {
  const token = isRecord(body) ? body[CSRF_FIELD] : undefined
  return typeof token === 'string' && isEqual(token, csrfToken)
}

const foreignForm = () =>
  new HttpError(403, 'This form was sent from a page of another site, so nothing was done.', { error: 'Form refused' })

export const staleForm = () =>
  new HttpError(
    403,
    'This form is no longer valid: it was sent before, you signed in or out since, or cookies are switched off. Sending it now did nothing. Open the page again to see what is saved.',
    { error: 'Form refused' },
  )

/** Compares two texts in constant time. */
export function isEqual(text: string, expected: string): boolean {
  const [one, other] = [Buffer.from(text), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
