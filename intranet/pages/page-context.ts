import type { Clock } from '@campus/engine/base/clock'
import { knownTimeZone } from '@campus/engine/base/time-zones'
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
  type BrowserState,
  browserState,
  readBrowserKey,
  readKey,
  readNotice,
  readTimeZone,
  wasSignedIn,
  writeKey,
  writeSignedIn,
} from './cookies.ts'
import { csrfTokenOf } from './csrf.ts'
import { type Form, formOf } from './form.ts'
import type { SignInMetrics } from './sign-in-metrics.ts'

type Finding = {
  readonly about: string
  readonly state: 'well' | 'warning' | 'fault'
  readonly said: string
  readonly advice?: string
}

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
  /** Encrypts values that the database or browsers store. */
  readonly sealer: Sealer
  /** Seals a new password until the campus receives it. */
  readonly sealing: Sealing
  readonly school: SchoolProvider | undefined
  readonly signIns: SignInMetrics
  readonly openid: OpenId
  readonly clientDocuments: Pick<ClientDocuments, 'find'>
  readonly limits: Pick<RateLimits, 'look' | 'spendPicture'>
  readonly tokenLimits: Pick<TokenLimits, 'spendCode' | 'spendOwnerOnPage'>
  readonly subscribing: Subscribing
  readonly staging: Staging
  readonly store: FileStore
  readonly importFile: (options: ImportOptions) => Promise<ImportReport>
  /** Runs the checks of `campus doctor` in this service. */
  readonly examine: () => Promise<readonly Finding[]>
  /** Returns the durations of requests in this process, in seconds. */
  readonly requestTimes: () => { readonly median: number; readonly p99: number }
  readonly records: RecordWriter
  readonly seatPlans: StoredPlans
  readonly registry: Registry
  readonly api: ApiInProcess
  readonly watchApi: WatchInProcess
  /** Streams the times at which a page is to be loaded again. */
  readonly watchPage: (watched: PageRequest) => Promise<FastifyReply>
}

export type PageContext = BrowserState & {
  readonly dependencies: PageDependencies
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Form
  readonly browser: Browser
  readonly origin: Origin
  readonly session: Session | undefined
  /** A session in which a second factor must be set up first. On the pages for that it is also `session`. */
  readonly enrolling: EnrollingSession | undefined
  /** A sign-in that is not complete. */
  readonly pending: PendingSignIn | undefined
  readonly person: Person | undefined
  readonly timeZone: string
  readonly hasChosenTimeZone: boolean
  readonly csrfToken: string
  readonly referrer: string | undefined
  readonly notice: string | undefined
  /** Value of the cookie. The browser has one even without a session. */
  readonly key: string
  /** Whether the session of this browser ended without a sign-out here. */
  readonly hasEndedSession: boolean
  /** Replaces the key in the cookie of the browser. Call it whenever a person signs in or out. */
  setKey(key: string): void
}

export type PersonPageContext = PageContext & { readonly session: Session; readonly person: Person }

const contexts = new WeakMap<FastifyRequest, PageContext>()

/** Reads the page context of a request. A browser without a key gets one, so that its forms can carry a token. */
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
  const chosenZone = readTimeZone(request)
  const context: PageContext = {
    ...browserState(request, reply),
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
    // Defaults to the zone of the person's primary campus, else of the school.
    timeZone: knownTimeZone(chosenZone) ?? knownTimeZone(session?.person.timeZone) ?? dependencies.config.timeZone,
    hasChosenTimeZone: chosenZone !== undefined,
    get csrfToken() {
      return csrfTokenOf(key)
    },
    referrer: request.headers.referer,
    notice: readNotice(request, reply),
    get key() {
      return key
    },
    hasEndedSession: !isSignedIn && wasSignedIn(request),
    setKey(next) {
      key = next
      writeKey(reply, next)
    },
  }
  contexts.set(request, context)
  return context
}

/** Returns undefined if the request failed before its context was read. */
export const pageContextOf = (request: FastifyRequest): PageContext | undefined => contexts.get(request)
