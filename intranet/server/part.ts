import type { Clock } from '@campus/engine/base/clock'
import type { Jobs } from '@campus/engine/base/metrics/jobs'
import type { Metric } from '@campus/engine/base/metrics/metric'
import type { Metrics } from '@campus/engine/base/metrics/metrics'
import type { ShowProgress } from '@campus/engine/base/progress'
import type { Database } from '@campus/engine/database/database'
import type { Start } from '@campus/engine/database/job-leases'
import type { RateLimits } from '@campus/engine/http/rate-limit'
import type { Registry } from '@campus/engine/rest/declare/registry'
import type { ApiInProcess } from '@campus/engine/rest/in-process'
import type { OpenapiDocument, TagGroup } from '@campus/engine/rest/openapi/document'
import type { Route } from '@campus/engine/rest/route-table'
import type { Command } from 'commander'
import type { FastifyBaseLogger, FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import type { FindToken } from '../oauth/tokens.ts'
import type { PageRoute } from '../pages/page.ts'
import type { FileStore } from '../services/attachments/file-store.ts'
import type { Config } from '../settings/config.ts'
import type { Language } from '../settings/languages.ts'
import type { PartSettings } from '../settings/read-settings.ts'
import type { Environment } from './database-command.ts'
import type { CheckAnywhere } from './doctor/finding.ts'

/**
 * An optional part of the service and its mount points. Its line in `service/part-list.ts` registers it. Its `part.ts` only
 * declares: other files of its folder are imported when a mount point is used.
 */
export type Part = {
  /** Name of its folder in `packages/`. */
  readonly name: string
  readonly settings?: PartSettings
  /** Languages of pages and mails. */
  readonly languages?: readonly Language[]
  readonly commands?: readonly PartCommand[]
  /** Options of `campus serve`, which `fillNew` gets by name. */
  readonly serveOptions?: readonly (readonly [flags: string, about: string])[]
  /** Routes other than pages. */
  readonly routes?: PartRoutes
  /** Pages, which read the session of a person. */
  readonly pages?: () => Promise<readonly PageRoute[]>
  /** Returns background work for one process of all, or undefined if the settings ask for none. */
  readonly background?: (services: BackgroundServices) => Promise<PartJob | undefined>
  /** Throws ConfigError if the settings cannot work. Runs before the start. */
  readonly checkBeforeStart?: (config: Config) => Promise<void>
  /** Checks of `campus doctor`. */
  readonly checks?: () => Promise<readonly CheckAnywhere[]>
  /** Fills a new database. */
  readonly fillNew?: (database: NewDatabase) => Promise<void>
  /** Returns the lines to print after a start, or undefined for those of an empty school. */
  readonly introduce?: (started: Started) => Promise<readonly string[] | undefined>
}

/** A command of `campus`. It is loaded unless the command line names a command of the service itself. */
export type PartCommand = {
  /** Name of the command that precedes it in the help. */
  readonly after: string
  readonly load: () => Promise<(program: Command, line: CommandLine) => void>
}

/** Environment and parts of a command line. */
export type CommandLine = { readonly env: Environment; readonly parts: readonly Part[] }

export type Mounting = {
  readonly config: Config
  readonly metrics: Metrics
  readonly limits: RateLimits
  readonly findToken: FindToken
  readonly registry: Registry
  readonly table: readonly Route[]
  readonly api: ApiInProcess
  readonly document: () => Promise<OpenapiDocument>
  readonly subjects: readonly TagGroup[]
  /** Returns the guides of another part, or undefined if no part has guides. */
  readonly guides: () => (() => Promise<Guides>) | undefined
}

export type PartRoutes = {
  readonly declared: readonly PartRoute[]
  /** Called once per service, when the routes are mounted. */
  readonly open: (mounting: Mounting) => Promise<OpenedRoutes>
}

export type OpenedRoutes = {
  /** Loads the handler of the routes. Called at their first request. */
  readonly load: () => Promise<Answering>
  /** Pages that describe the API, for other parts. */
  readonly guides?: () => Promise<Guides>
}

export type PartRoute = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly config?: FastifyContextConfig
  readonly bodyLimit?: number
  /** Also serves the route on the host for pictures. */
  readonly isPicture?: boolean
}

export type Answering = {
  /** Admits a request before its body is read. */
  readonly admit?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  /** Headers of every response, including refusals. */
  readonly headers?: Readonly<Record<string, string>>
  readonly answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

/** Pages about the API, for programs. */
export type Guides = {
  /** Returns the entries that contain every word of the text, the best match first. */
  find(text: string): readonly GuideFinding[]
  /** Returns a page as Markdown by its path, or undefined if there is no such page. */
  markdown(path: string): string | undefined
}

export type GuideFinding = {
  readonly href: string
  readonly kind: string
  readonly method?: string
  readonly title: string
  readonly about: string
}

export type BackgroundServices = {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly secretKey: Buffer
  readonly store: FileStore
  readonly jobs: Jobs
  readonly log: Pick<FastifyBaseLogger, 'info' | 'error'>
  /** Whether this process runs this job now. */
  readonly isRunning: (job: string) => boolean
}

export type PartJob = {
  readonly name: string
  readonly start: Start
  readonly collect?: () => Promise<readonly Metric[]>
}

export type NewDatabase = {
  readonly config: Config
  readonly database: Database
  readonly options: Readonly<Record<string, unknown>>
  readonly showProgress: ShowProgress
}

export type Started = { readonly address: string; readonly config: Config; readonly database: Database }
