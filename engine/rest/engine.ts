import type { Hmac } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { CachedValues } from '../database/changes.ts'
import type { Database } from '../database/database.ts'
import type { DeclaredStorage } from '../database/declared-storage.ts'
import type { FileFields, UploadedFile } from '../http/uploaded-file.ts'
import type { CommonAccess } from './declare/access.ts'
import { readCatalogue } from './declare/catalogue.ts'
import { checkAssociations } from './declare/check-associations.ts'
import { checkSql } from './declare/check-sql.ts'
import type { Resource } from './declare/declaration.ts'
import type { WireContext } from './declare/fields/kinds.ts'
import { checkLockOrder } from './declare/lock-order.ts'
import { Registry } from './declare/registry.ts'
import { readyEtags } from './encoded-answer.ts'
import { CachedFragments } from './represent/fragments.ts'
import { RepresentationCompiler } from './represent/representation.ts'

/** Stores the files of payloads. */
export type PayloadFiles = {
  /** By the names of fields. */
  readonly limits: FileFields
  /** Stores a staged file of a field and gives its id. Throws WrongValue for what does not belong there. */
  store(file: UploadedFile, field: string): Promise<number>
  /** Removes what a body left staged. */
  removeStaged(body: unknown): Promise<void>
}

/** Begins a digest under a key that only this service has. */
export type StartHash = () => Hmac

/** What the generic actions work with: the database, the resources and what is cached of both. */
export type Engine = {
  readonly database: Database
  readonly clock: Clock
  readonly wire: WireContext
  readonly registry: Registry
  readonly files: PayloadFiles | undefined
  readonly startHash: StartHash
  readonly representations: RepresentationCompiler
  readonly fragments: CachedFragments
  /** Exact totals by statement and values, until a row of their tables changes. */
  readonly totals: CachedValues<KnownTotal>
}

/** Since when it holds, and until when by the clock, in milliseconds. */
type KnownTotal = { readonly total: number; readonly since: number; readonly until: number }

type EngineDependencies = {
  readonly database: Database
  readonly clock: Clock
  readonly wire: WireContext
  /** For what clients send and could be guessed. */
  readonly startHash: StartHash
  /** Needed where a resource takes files. */
  readonly files?: PayloadFiles
  readonly resources: readonly Resource[]
  readonly access: CommonAccess
  /** Storage that `migrate` applied, against which the SQL of declarations is checked. */
  readonly storage: DeclaredStorage
}

const CACHED_TOTALS = 5_000

/** Puts the engine together. Throws if a declaration names a resource, representation, table or column that does not exist, or breaks the order of locks. */
export async function createEngine(dependencies: EngineDependencies): Promise<Engine> {
  const { database, clock, wire, files, startHash, resources, access, storage } = dependencies
  const [catalogue] = await Promise.all([readCatalogue(database), readyEtags()])
  const registry = new Registry(resources, access, catalogue)
  checkLockOrder(registry, storage.lockOrder)
  checkAssociations(catalogue, registry)
  checkSql(catalogue, registry, storage)
  const fragments = new CachedFragments(database)
  const representations = new RepresentationCompiler(registry, wire, fragments)
  fragments.useCompiler(representations)
  for (const resource of resources) {
    const { index = 'record', show = 'record', create = show } = resource.answers ?? {}
    const further = [...(resource.parents ?? []), resource.searched].flatMap((list) => list?.representation ?? [])
    if (resource.payload?.files && !files) throw new Error(`no store is given for the files of ${resource.name}`)
    for (const representation of new Set([index, show, create, ...further]))
      representations.representation(resource, representation)
  }
  return {
    database,
    clock,
    wire,
    files,
    startHash,
    registry,
    representations,
    fragments,
    totals: new CachedValues(database.changes, CACHED_TOTALS),
  }
}
