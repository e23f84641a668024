import type { Progress } from '../../base/progress.ts'
import type { Database } from '../../database/database.ts'
import type { Resource } from '../../rest/declare/declaration.ts'
import { Registry } from '../../rest/declare/registry.ts'
import { applyStaged } from './apply.ts'
import { requireOwnCopy } from './copied-from.ts'
import { listOf, mirroredResources } from './lists.ts'
import { ListReader } from './read-list.ts'
import { type Source, type SourceOptions, Unreadable, withSource } from './source.ts'
import { OUTSIDE, VEILED } from './stage.ts'

export type MirrorOptions = SourceOptions & {
  /** Only what belongs to this campus. */
  readonly campusId?: number | undefined
  /** Read everything again, whatever was read before. */
  readonly isWhole?: boolean
  readonly progress?: Progress
}

/** The outcome of a copy. */
export type MirrorReport = {
  readonly from: string
  readonly requests: number
  readonly read: number
  readonly written: number
  readonly deleted: number
  /** Lists that the service refused, with its reason. */
  readonly unreadable: readonly { readonly resource: string; readonly reason: string }[]
  /** Records that differ from the source. */
  readonly problems: readonly { readonly resource: string; readonly id: number; readonly reason: string }[]
  /** Unknown names in records, by resource. */
  readonly unknown: Readonly<Record<string, readonly string[]>>
  /** Resources that are never copied. */
  readonly left_out: readonly { readonly resource: string; readonly reason: string }[]
}

/** The advisory lock under which one copy runs at a time. */
const MIRROR_LOCK = 4210

/** Statuses of lists that need a role or a scope, or that the other service does not have. */
const NOT_SHOWN = new Set([400, 403, 404])

/**
 * Copies what the lists of another service show into the database, keeping ids; continues where it was interrupted. Throws
 * MirrorRefused where the database is not a copy of it, and SourceRefused where the service is away or refuses the application.
 */
export const mirror = (
  database: Database,
  resources: readonly Resource[],
  options: MirrorOptions,
): Promise<MirrorReport> =>
  withSource(options, (source) =>
    database.exclusively(MIRROR_LOCK, () => copy(database, new Registry(resources), source, options)),
  )

async function copy(
  database: Database,
  registry: Registry,
  source: Source,
  { campusId, isWhole = false, progress = () => {} }: MirrorOptions,
): Promise<MirrorReport> {
  await requireOwnCopy(database, { url: source.url, campusId })
  const mirrored = mirroredResources(registry)
  const unreadable: { resource: string; reason: string }[] = []
  const unknown: Record<string, readonly string[]> = {}
  let read = 0
  for (const resource of mirrored) {
    const onPage = (done: number, total: number) => progress(resource.name, done, total)
    const reading = new ListReader(listOf(resource, campusId), { database, source, registry, onPage, isWhole })
    try {
      const outcome = await reading.run()
      read += outcome.read
      if (outcome.unknown.length > 0) unknown[resource.name] = outcome.unknown
    } catch (error) {
      if (!(error instanceof Unreadable && NOT_SHOWN.has(error.status))) throw error
      unreadable.push({ resource: resource.name, reason: error.message })
    }
  }
  progress('writing', 0, 1)
  const listed = new Map(mirrored.map(({ table, name }) => [table, name]))
  const leftOut = registry.resources.filter(({ unmirrored }) => unmirrored !== undefined)
  const applied = await applyStaged(database, {
    isNarrowed: campusId !== undefined,
    listed,
    unmirrored: new Set(leftOut.map(({ table }) => table)),
  })
  return {
    from: source.url,
    requests: source.requests,
    read,
    ...applied,
    unreadable,
    problems: await problemsLeft(database),
    unknown,
    left_out: leftOut.map(({ name, unmirrored = '' }) => ({ resource: name, reason: unmirrored })),
  }
}

async function problemsLeft(database: Database): Promise<MirrorReport['problems']> {
  return database.kysely
    .selectFrom('mirror_problems')
    .select(['resource', 'id', 'reason'])
    .where('reason', 'not in', [OUTSIDE, VEILED])
    .orderBy('resource')
    .orderBy('id')
    .execute()
}
