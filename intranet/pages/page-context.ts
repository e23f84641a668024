import type { Clock } from '@campus/engine/base/clock'
import type { PageRequest } from '@campus/engine/changes/streams/streams'
import type { WatchInProcess } from '@campus/engine/changes/streams/watch-in-process'
import type { Database } from '@campus/engine/database/database'
import type { RateLimits } from '@campus/engine/http/rate-limit'
import type { Staging } from '@campus/engine/http/staging'
import type { Registry } from '@campus/engine/rest/declare/registry'
import type { ImportOptions, ImportReport } from '@campus/engine/rest/import/import-file'
import type { ApiInProcess } from '@campus/engine/rest/in-process'
import type { RecordWriter } from '@campus/engine/rest/write/records'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type Browser,
  type EnrollingSession,
  findSession,
  newKey,
  type PendingSignIn,
  type Person,
  type Session,
} from '../access/sessions.ts'
import type { Origin } from '../access/throttle.ts'
import type { Subscribing } from '../oauth/applications/webhooks.ts'
import type { ClientDocuments } from '../oauth/client-documents/client-documents.ts'
import type { OpenId } from '../oauth/openid/openid.ts'
import type { SchoolProvider } from '../oauth/school-provider.ts'
import type { TokenLimits } from '../oauth/token-limits.ts'
import type { StoredPlans } from '../school/domain/school/stored-plans.ts'
import type { FileStore } from '../services/attachments/file-store.ts'
import type { Sealer } from '../services/sealing/sealer.ts'
import type { Config } from '../settings/config.ts'
import type { Sealing } from '../webhooks/sealing.ts'
import {
  readBrowserKey,
  readColumns,
  readKey,
  readKioskToken,
  readNotice,
  readSchoolTrip,
  readTimeZone,
  wasSignedIn,
  writeBrowserKey,
  writeColumns,
  writeKey,
  writeKioskToken,
  writeLanguage,
  writeSchoolTrip,
  writeSignedIn,
  writeTimeZone,
} from './cookies.ts'
import { csrfTokenOf } from './csrf.ts'
import { type Form, formOf } from './form.ts'
import { preferredTimeZone } from './preferred-time-zone.ts'
import type { SignInMetrics } from './sign-in-metrics.ts'

type Finding = {
  readonly about: string
  readonly state: 'well' | 'warning' | 'fault'
  readonly said: string
  readonly advice?: string
}

/** Dependencies of pages. */
export type PageDependencies = {
  readonly config: Pick<
    Config,
    | 'baseUrl'
    | 'picturesUrl'
    | 'timeZone'
    | 'mail'
    | 'languages'
    | 'data'
    | 'tls'
    | 'acme'
    | 'isBehindProxy'
    | 'relyingParty'
    | 'uploadLimits'
  >
  readonly database: Database
  readonly clock: Clock
  /** Seals what is stored, or held by browsers, against reading. */
  readonly sealer: Sealer
  /** Seals a new password until the campus receives it. */
  readonly sealing: Sealing
  /** The school's own provider, where it has one. */
  readonly school: SchoolProvider | undefined
  readonly signIns: SignInMetrics
  /** Reads ID tokens, and says who is whom to applications. */
  readonly openid: OpenId
  /** Reads the metadata documents of clients that are not registered. */
  readonly clientDocuments: Pick<ClientDocuments, 'find'>
  /** Reads the rates of applications, and counts profile pictures. */
  readonly limits: Pick<RateLimits, 'look' | 'spendPicture'>
  readonly tokenLimits: Pick<TokenLimits, 'spendCode' | 'spendOwnerOnPage'>
  /** Dependencies of webhooks of applications. */
  readonly subscribing: Subscribing
  /** Staging and storage of uploads. */
  readonly staging: Staging
  readonly store: FileStore
  /** Imports a file, as the command does. */
  readonly importFile: (options: ImportOptions) => Promise<ImportReport>
  /** Runs the checks of `campus doctor` in this service. */
  readonly examine: () => Promise<readonly Finding[]>
  /** How long requests take in this process, in seconds. */
  readonly requestTimes: () => { readonly median: number; readonly p99: number }
  /** Writes what the API writes. */
  readonly records: RecordWriter
  /** Reads drawings of floors. */
  readonly seatPlans: StoredPlans
  /** The resources of the API. */
  readonly registry: Registry
  /** The API as the caller of this page. */
  readonly api: ApiInProcess
  /** Its streams of changes. */
  readonly watchApi: WatchInProcess
  /** A stream that says when a page is to be looked at again. */
  readonly watchPage: (watched: PageRequest) => Promise<FastifyReply>
}

/** A request for a page. */
export type PageContext = {
  readonly dependencies: PageDependencies
  /** Path with query, as `return_to` takes it. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Form
  readonly browser: Browser
  /** The origin that attempts count against. */
  readonly origin: Origin
  readonly session: Session | undefined
  /** A session in which a second factor is to be set up first; it is `session` on the pages for that alone. */
  readonly enrolling: EnrollingSession | undefined
  /** A sign-in that waits for a further step. */
  readonly pending: PendingSignIn | undefined
  readonly person: Person | undefined
  /** The IANA name of the zone whose times the page shows. */
  readonly timeZone: string
  /** Whether it was chosen in this browser. */
  readonly hasChosenTimeZone: boolean
  /** CSRF token of this browser's forms. */
  readonly csrfToken: string
  /** The address of the page that led here, where the browser says it. */
  readonly referrer: string | undefined
  /** The flash message of the last page. */
  readonly notice: string | undefined
  /** The value of the browser's cookie, of any session. */
  readonly key: string
  /** Sealed state of a sign-in at the school's provider. */
  readonly schoolTrip: string | undefined
  /** Gives that along, or takes it back. */
  setSchoolTrip(sealed: string | undefined): void
  /** Gives the browser's key, and sets its cookie. */
  setBrowserKey(): string
  /** Stores the code of a chosen language in the browser. */
  setLanguage(code: string): void
  /** Stores a chosen time zone in the browser, or takes it back. */
  setTimeZone(timeZone: string | undefined): void
  /** The columns that were chosen for the list at this path, in this browser. */
  readonly chosenColumns: readonly string[] | undefined
  /** Stores the columns of the list at a path in the browser. */
  setColumns(path: string, columns: readonly string[]): void
  /** The token of the screen that the browser is, where staff made it one. */
  readonly kioskToken: string | undefined
  /** Stores it. */
  setKioskToken(token: string): void
  /** Whether the session of this browser ended without a sign-out here. */
  readonly hasEndedSession: boolean
  /** Forgets that somebody was signed in. */
  forgetSession(): void
  /** Gives the browser another key, as at every change of who is signed in. */
  setKey(key: string): void
}

/** The context of a page for a person who is signed in. */
export type PersonPageContext = PageContext & { readonly session: Session; readonly person: Person }

const contexts = new WeakMap<FastifyRequest, PageContext>()

/** Reads the page context of a request by its cookie. A browser without one gets a key, so that its forms can carry a token. */
export async function readPageContext(
  dependencies: PageDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  { admitsEnrolling }: { readonly admitsEnrolling: boolean },
): Promise<PageContext> {
  const present = readKey(request)
  let key = present ?? newKey()
  if (present === undefined) writeKey(reply, key)
  const { enrolling, pending, ...found } = present
    ? await findSession(dependencies.database, dependencies.clock.now(), present)
    : {}
  const session = admitsEnrolling ? (found.session ?? enrolling) : found.session
  request.visitor = session?.person.id
  const isSignedIn = found.session !== undefined || enrolling !== undefined
  if (isSignedIn && !wasSignedIn(request)) writeSignedIn(reply, true)
  const context: PageContext = {
    dependencies,
    path: request.url,
    params: Object.fromEntries(Object.entries(Object(request.params)).map(([name, text]) => [name, String(text)])),
    query: formOf(request.query),
    browser: { address: request.ip, userAgent: request.headers['user-agent'] },
    origin: { address: request.ip, browserKey: readBrowserKey(request) },
    session,
    enrolling,
    pending,
    person: session?.person,
    timeZone: preferredTimeZone(readTimeZone(request), session?.person, dependencies.config),
    hasChosenTimeZone: readTimeZone(request) !== undefined,
    get csrfToken() {
      return csrfTokenOf(key)
    },
    referrer: request.headers.referer,
    notice: readNotice(request, reply),
    schoolTrip: readSchoolTrip(request),
    setSchoolTrip: (sealed) => writeSchoolTrip(reply, sealed),
    get key() {
      return key
    },
    setBrowserKey() {
      const key = readBrowserKey(request) ?? newKey()
      writeBrowserKey(reply, key)
      return key
    },
    setLanguage: (code) => writeLanguage(reply, code),
    chosenColumns: readColumns(request),
    setColumns: (path, columns) => writeColumns(reply, path, columns),
    setTimeZone: (timeZone) => writeTimeZone(reply, timeZone),
    kioskToken: readKioskToken(request),
    setKioskToken: (token) => writeKioskToken(reply, token),
    hasEndedSession: !isSignedIn && wasSignedIn(request),
    forgetSession: () => writeSignedIn(reply, false),
    setKey(next) {
      key = next
      writeKey(reply, next)
    },
  }
  contexts.set(request, context)
  return context
}

/** The page context of a request; undefined where the request failed before it was read. */
export const pageContextOf = (request: FastifyRequest): PageContext | undefined => contexts.get(request)
