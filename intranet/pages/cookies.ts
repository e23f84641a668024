import type { FastifyReply, FastifyRequest } from 'fastify'
import { KNOWN_DAYS } from '../access/known-browsers.ts'

/** The prefix has browsers take them from this very host over TLS only, so that no neighbour can set them. */
const KEY = '__Host-campus'
const BROWSER = '__Host-campus-browser'
const NOTICE = '__Host-campus-notice'
const SIGNED_IN = '__Host-campus-signed-in'
const SCHOOL_TRIP = '__Host-campus-school'
const LANGUAGE = '__Host-campus-language'
const TIME_ZONE = '__Host-campus-time-zone'
const KIOSK = '__Host-campus-kiosk'

const YEAR_SECONDS = 365 * 86_400
const OPTIONS = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const

/** The key of a browser: 256 random bits; any other text is ignored. */
export function readKey(request: FastifyRequest): string | undefined {
  const key = request.cookies[KEY]
  return key !== undefined && /^[\w-]{43}$/.test(key) ? key : undefined
}

/** The cookie of a browser in which someone has signed in before. */
export function readBrowserKey(request: FastifyRequest): string | undefined {
  const key = request.cookies[BROWSER]
  return key !== undefined && /^[\w-]{43}$/.test(key) ? key : undefined
}

/** It says nothing of who signed in, and opens nothing. */
export function writeBrowserKey(reply: FastifyReply, key: string): void {
  reply.setCookie(BROWSER, key, { ...OPTIONS, maxAge: KNOWN_DAYS * 86_400 })
}

/** It ends with the browser, since the computers of a school are shared. */
export function writeKey(reply: FastifyReply, key: string): void {
  reply.setCookie(KEY, key, OPTIONS)
}

/** Whether somebody was signed in at the last visit. It lasts as long as the key, and says nothing of who it was. */
export const wasSignedIn = (request: FastifyRequest): boolean => request.cookies[SIGNED_IN] !== undefined

/** Stores whether somebody is signed in. */
export function writeSignedIn(reply: FastifyReply, isSignedIn: boolean): void {
  if (isSignedIn) reply.setCookie(SIGNED_IN, 'yes', OPTIONS)
  else reply.clearCookie(SIGNED_IN, OPTIONS)
}

/** Reads the flash message, once. */
export function readNotice(request: FastifyRequest, reply: FastifyReply): string | undefined {
  const notice = request.cookies[NOTICE]
  if (notice === undefined || request.method !== 'GET') return undefined
  reply.clearCookie(NOTICE, OPTIONS)
  return notice
}

/** Stores a flash message for the next page. */
export function writeNotice(reply: FastifyReply, notice: string): void {
  reply.setCookie(NOTICE, notice, { ...OPTIONS, maxAge: 60 })
}

/** The state of a sign-in by the school's provider, sealed. */
export const readSchoolTrip = (request: FastifyRequest): string | undefined => request.cookies[SCHOOL_TRIP]

/** Leaves it in the browser for ten minutes, or takes it back. */
export function writeSchoolTrip(reply: FastifyReply, sealed: string | undefined): void {
  if (sealed === undefined) reply.clearCookie(SCHOOL_TRIP, OPTIONS)
  else reply.setCookie(SCHOOL_TRIP, sealed, { ...OPTIONS, maxAge: 600 })
}

/** The language that was chosen by hand, as it stands there: read from the header, since a failure may come before cookies are. */
export const readLanguage = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  /(?:^|; *)__Host-campus-language=(\w+)/.exec(headers.cookie ?? '')?.[1]

/** Kept for a year. It identifies no one and is needed for the choice, so it needs no consent. */
export function writeLanguage(reply: FastifyReply, language: string): void {
  reply.setCookie(LANGUAGE, language, { ...OPTIONS, maxAge: YEAR_SECONDS })
}

const COLUMNS = '__Secure-campus-columns'

/** The columns that were chosen for the list at this path. */
export const readColumns = (request: FastifyRequest): readonly string[] | undefined =>
  request.cookies[COLUMNS]?.split('.').filter((name) => /^[\w?]+$/.test(name))

/** Stores them for a year, for this path alone. */
export function writeColumns(reply: FastifyReply, path: string, columns: readonly string[]): void {
  reply.setCookie(COLUMNS, columns.join('.'), { ...OPTIONS, path, maxAge: YEAR_SECONDS })
}

/** The time zone that was chosen by hand, as it stands there. */
export const readTimeZone = (request: FastifyRequest): string | undefined => request.cookies[TIME_ZONE]

/** Stored for a year, like the language, or taken back. */
export function writeTimeZone(reply: FastifyReply, timeZone: string | undefined): void {
  if (timeZone === undefined) reply.clearCookie(TIME_ZONE, OPTIONS)
  else reply.setCookie(TIME_ZONE, timeZone, { ...OPTIONS, maxAge: YEAR_SECONDS })
}

/** The token of the screen that this browser is. */
export const readKioskToken = (request: FastifyRequest): string | undefined => request.cookies[KIOSK]

/** Stored for a year; a screen is started anew now and then. */
export function writeKioskToken(reply: FastifyReply, token: string): void {
  reply.setCookie(KIOSK, token, { ...OPTIONS, maxAge: YEAR_SECONDS })
}
