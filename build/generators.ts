import { readFile } from 'node:fs/promises'
import type { Texts } from './generated-files.ts'

/** Writes files from what the sources declare, or from what the service answers. */
export type FileGenerator = {
  readonly about: string
  /** Paths relative to the root. A folder, which ends in a slash, holds nothing else. */
  readonly writes: readonly string[]
  /** Whether reviewers read the files in git. Others are in `.gitignore`. */
  readonly isCommitted: boolean
  /** Duration on two idle processors. */
  readonly seconds: number
  /** Whether it starts a PostgreSQL server, to ask a service. */
  readonly asksService?: true
  /** Returns every file, or undefined if a development dependency is not installed. */
  make(): Promise<Texts | undefined>
}

const ACCESS = 'test/fixtures/access.txt'
const OWN_WRITES = 'test/fixtures/own-writes.txt'
const SURFACE = 'docs/reference/surface.txt'
const SETTINGS = 'docs/settings.md'
const COMMANDS = 'docs/commands.md'
const METRICS = 'docs/monitoring.md'
const EXAMPLES = 'docs/reference/examples.json'
const BODIES = 'docs/reference/webhook-bodies.json'
const TABLES = 'intranet/schema.ts'
const TYPESCRIPT = 'clients/typescript/src/schema.ts'

/**
 * Every generator by its name, the quick ones first. Each loads its modules when it runs: `npm ci` runs two of them, which
 * must not need the tests.
 */
export const GENERATORS: Readonly<Record<string, FileGenerator>> = {
  tables: {
    about: 'types of the database tables, from the migrations',
    writes: [TABLES],
    isCommitted: false,
    seconds: 1,
    async make() {
      const types = await (await import('./table-types.ts')).tableTypes()
      return types === undefined ? undefined : { [TABLES]: types }
    },
  },
  python: {
    about: 'types and methods of the Python client, and its client for threads',
    writes: [
      'clients/python/src/campus_intranet/types.py',
      'clients/python/src/campus_intranet/aio/operations.py',
      'clients/python/src/campus_intranet/sync/',
    ],
    isCommitted: false,
    seconds: 1,
    async make() {
      return (await import('../clients/python/scripts/python-files.ts')).pythonFiles('clients/python/')
    },
  },
  typescript: {
    about: 'types of the TypeScript client; `npm run build -w campus-intranet-client` also compiles it',
    writes: [TYPESCRIPT],
    isCommitted: false,
    seconds: 1,
    async make() {
      const { typesOf } = await import('../clients/typescript/scripts/types-of.ts')
      return { [TYPESCRIPT]: typesOf(await declaredDocument()) }
    },
  },
  surface: {
    about: 'what clients rely on',
    writes: [SURFACE],
    isCommitted: true,
    seconds: 1,
    async make() {
      const { surfaceText } = await import('./surface.ts')
      const present = await readFile(SURFACE, 'utf8').catch(() => '')
      return { [SURFACE]: surfaceText(await declaredDocument(), present, await readFile('CHANGELOG.md', 'utf8')) }
    },
  },
  access: {
    about: 'who may call each action of each resource',
    writes: [ACCESS],
    isCommitted: true,
    seconds: 1,
    async make() {
      const { declaredRegistry } = await import('@campus/intranet/school/resources/declared')
      const { declaredAccess } = await import('@campus/test/support/declared-access')
      return { [ACCESS]: declaredAccess(declaredRegistry()) }
    },
  },
  settings: {
    about: 'page of the settings',
    writes: [SETTINGS],
    isCommitted: true,
    seconds: 1,
    async make() {
      return { [SETTINGS]: (await import('./settings-page.ts')).settingsPage() }
    },
  },
  commands: {
    about: 'page of the command line',
    writes: [COMMANDS],
    isCommitted: true,
    seconds: 1,
    async make() {
      const { commandsPage } = await import('./commands-page.ts')
      return { [COMMANDS]: await commandsPage() }
    },
  },
  metrics: {
    about: 'table of the metrics',
    writes: [METRICS],
    isCommitted: true,
    seconds: 10,
    asksService: true,
    async make() {
      const { exportedMetrics, withMetrics } = await import('@campus/test/support/metrics-page')
      const table = await onDatabaseServer(exportedMetrics)
      return { [METRICS]: withMetrics(await readFile(METRICS, 'utf8'), table) }
    },
  },
  'own-writes': {
    about: 'which fields people can write with a token of their own',
    writes: [OWN_WRITES],
    isCommitted: true,
    seconds: 15,
    asksService: true,
    async make() {
      const { generateOwnWrites } = await import('@campus/test/support/own-writes')
      return { [OWN_WRITES]: await onDatabaseServer(generateOwnWrites) }
    },
  },
  examples: {
    about: 'requests and answers of the reference, and bodies of webhooks',
    writes: [EXAMPLES, BODIES],
    isCommitted: false,
    seconds: 30,
    asksService: true,
    async make() {
      const { recordedExamples } = await import('@campus/test/support/recorded-examples')
      const { examples, bodies } = await onDatabaseServer(recordedExamples)
      return { [EXAMPLES]: jsonLines(examples), [BODIES]: jsonLines(bodies) }
    },
  },
}

const declaredDocument = async () => (await import('@campus/intranet/school/resources/api-document')).declaredDocument()

const onDatabaseServer = async <T>(work: () => Promise<T>): Promise<T> =>
  (await import('@campus/test/support/database-server')).withDatabaseServer(work)

const jsonLines = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`
