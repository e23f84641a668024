import type { FastifyReply, FastifyRequest } from 'fastify'
import { KNOWN_DAYS } from '../access/known-browsers.ts'
import { newKey } from '../access/sessions.ts'

/** Browsers accept a cookie with the prefix `__Host-` only from this host over TLS, so that no neighbour can set it. */
const KEY = '__Host-campus'
const BROWSER = '__Host-campus-browser'
const NOTICE = '__Host-campus-notice'
const SIGNED_IN = '__Host-campus-signed-in'
const SCHOOL_TRIP = '__Host-campus-school'
const LANGUAGE = '__Host-campus-language'
const TIME_ZONE = '__Host-campus-time-zone'
const KIOSK = '__Host-campus-kiosk'
const COLUMNS = '__Secure-campus-columns'

const YEAR_SECONDS = 365 * 86_400
const OPTIONS = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const

/** Returns the key of a browser: 256 random bits. Any other text is ignored. */
export const readKey = (request: FastifyRequest): string | undefined => keyIn(request.cookies[KEY])

export const readBrowserKey = (request: FastifyRequest): string | undefined => keyIn(request.cookies[BROWSER])

const keyIn = (text = '') => (/^[\w-]{43}$/.test(text) ? text : undefined)

/** Stores the key until the browser is closed, since the computers of a school are shared. */
export function writeKey(reply: FastifyReply, key: string): void {
  reply.setCookie(KEY, key, OPTIONS)
}

export const wasSignedIn = (request: FastifyRequest): boolean => request.cookies[SIGNED_IN] !== undefined

export function writeSignedIn(reply: FastifyReply, isSignedIn: boolean): void {
  if (isSignedIn) reply.setCookie(SIGNED_IN, 'yes', OPTIONS)
  else reply.clearCookie(SIGNED_IN, OPTIONS)
}

export function readNotice(request: FastifyRequest, reply: FastifyReply): string | undefined {
  const notice = request.cookies[NOTICE]
  if (notice === undefined || request.method !== 'GET') return undefined
  reply.clearCookie(NOTICE, OPTIONS)
  return notice
}

export function writeNotice(reply: FastifyReply, notice: string): void {
  reply.setCookie(NOTICE, notice, { ...OPTIONS, maxAge: 60 })
}

/** Returns the chosen language, unchecked. Reads the header, since a request may fail before its cookies are parsed. */
export const readLanguage = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  /(?:^|; *)__Host-campus-language=(\w+)/.exec(headers.cookie ?? '')?.[1]

/** Returns the chosen time zone, unchecked. */
export const readTimeZone = (request: FastifyRequest): string | undefined => request.cookies[TIME_ZONE]

export type BrowserState = ReturnType<typeof browserState>

export function browserState(request: FastifyRequest, reply: FastifyReply) {
  const { cookies } = request
  const store = (name: string, value: string | undefined, maxAge: number) => {
    if (value === undefined) reply.clearCookie(name, OPTIONS)
    else reply.setCookie(name, value, { ...OPTIONS, maxAge })
  }
  return {
    /** Sealed state of a sign-in at the school's provider. */
    schoolTrip: cookies[SCHOOL_TRIP],
    setSchoolTrip: (sealed: string | undefined) => store(SCHOOL_TRIP, sealed, 600),
    /** Returns the browser's key, which identifies nobody and opens nothing, and stores it. */
    setBrowserKey() {
      const key = readBrowserKey(request) ?? newKey()
      store(BROWSER, key, KNOWN_DAYS * 86_400)
      return key
    },
    setLanguage: (code: string) => store(LANGUAGE, code, YEAR_SECONDS),
    setTimeZone: (timeZone: string | undefined) => store(TIME_ZONE, timeZone, YEAR_SECONDS),
    /** Columns that were chosen for the list at the page's path. */
    chosenColumns: cookies[COLUMNS]?.split('.').filter((name) => /^[\w?]+$/.test(name)),
    setColumns(path: string, columns: readonly string[]) {
      reply.setCookie(COLUMNS, columns.join('.'), { ...OPTIONS, path, maxAge: YEAR_SECONDS })
    },
    /** Token of a screen, if staff made the browser one. */
    kioskToken: cookies[KIOSK],
    setKioskToken: (token: string) => store(KIOSK, token, YEAR_SECONDS),
    forgetSession: () => writeSignedIn(reply, false),
  }
}
