import type { Hmac } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { CachedValues } from '../database/changes.ts'
import type { Database } from '../database/database.ts'
import type { DeclaredStorage } from '../database/declared-storage.ts'
import type { FileFields, UploadedFile } from '../http/uploaded-file.ts'
import type { CommonAccess } from './declare/access.ts'
import { readCatalogue } from './declare/catalogue.ts'
import { checkAssociations } from './declare/check-associations.ts'
import { checkColumns } from './declare/check-columns.ts'
import { checkSql } from './declare/check-sql.ts'
import type { Resource } from './declare/declaration.ts'
import type { WireContext } from './declare/fields/kinds.ts'
import { checkLockOrder } from './declare/lock-order.ts'
import { Registry } from './declare/registry.ts'
import { readyEtags } from './encoded-answer.ts'
import { CachedFragments } from './represent/fragments.ts'
import { RepresentationCompiler } from './represent/representation.ts'

export type PayloadFiles = {
  readonly limits: FileFields
  /** Stores a staged file and returns its id. Throws WrongValue for an invalid file. */
  store(file: UploadedFile, field: string): Promise<number>
  removeStaged(body: unknown): Promise<void>
}

/** Begins a digest under the service's secret key. */
export type StartHash = () => Hmac

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

type KnownTotal = { readonly total: number; readonly since: number; readonly until: number }

type EngineDependencies = {
  readonly database: Database
  readonly clock: Clock
  readonly wire: WireContext
  readonly startHash: StartHash
  readonly files?: PayloadFiles
  readonly resources: readonly Resource[]
  readonly access: CommonAccess
  readonly storage: DeclaredStorage
}

const CACHED_TOTALS = 5_000

/** Throws if a declaration names something that does not exist, or breaks the order of locks. */
export async function createEngine(dependencies: EngineDependencies): Promise<Engine> {
  const { database, clock, wire, files, startHash, resources, access, storage } = dependencies
  const [catalogue] = await Promise.all([readCatalogue(database), readyEtags()])
  const registry = new Registry(resources, access, catalogue)
  checkLockOrder(registry, storage.lockOrder)
  checkColumns(catalogue, registry)
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
  const totals = new CachedValues<KnownTotal>(database.changes, CACHED_TOTALS)
  return { database, clock, wire, files, startHash, registry, representations, fragments, totals }
}
