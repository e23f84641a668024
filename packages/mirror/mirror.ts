import type { Progress } from '@campus/engine/base/progress'
import type { Database } from '@campus/engine/database/database'
import type { Resource } from '@campus/engine/rest/declare/declaration'
import { Registry } from '@campus/engine/rest/declare/registry'
import { COMMON_ACCESS } from '@campus/intranet/school/resources/access'
import { applyStaged } from './apply.ts'
import { requireOwnCopy } from './copied-from.ts'
import { type HiddenFlag, hiddenFlags } from './hidden-flags.ts'
import { listOf, mirroredResources } from './lists.ts'
import type { AssignedPlaces } from './places.ts'
import { ListReader } from './read-list.ts'
import { type MissingRights, missingRights } from './rights.ts'
import { type Source, type SourceOptions, Unreadable, withSource } from './source.ts'
import { OUTSIDE, VEILED } from './stage.ts'

export type MirrorOptions = SourceOptions & {
  /** Copies only the data of this campus. */
  readonly campusId?: number | undefined
  /** Reads everything again. */
  readonly isWhole?: boolean
  readonly progress?: Progress
  /** Called when the roles of the application are known, before most lists are read. */
  readonly onMissing?: (missing: MissingRights) => void
}

export type MirrorReport = {
  readonly from: string
  readonly requests: number
  readonly read: number
  readonly written: number
  readonly deleted: number
  readonly missing: MissingRights
  /** Lists, and filters by hidden values, that the service refused. */
  readonly unreadable: readonly { readonly resource: string; readonly reason: string }[]
  /** Records that differ from the source. */
  readonly problems: readonly { readonly resource: string; readonly id: number; readonly reason: string }[]
  /** Events and exams whose places were assigned in the order of registration. */
  readonly assigned: readonly AssignedPlaces[]
  /** Unknown names in records, by resource. */
  readonly unknown: Readonly<Record<string, readonly string[]>>
  /** Resources that are never copied. */
  readonly left_out: readonly { readonly resource: string; readonly reason: string }[]
}

/** The advisory lock under which one copy runs at a time. */
const MIRROR_LOCK = 4210

/** Statuses of lists that need other rights or that the service does not have. */
const NOT_SHOWN = new Set([400, 403, 404])

/**
 * Copies the records of another service with their ids, and continues an interrupted copy. Throws MirrorRefused if the
 * database must not become a copy, and SourceRefused if the service is away or refuses the application.
 */
export const mirror = (
  database: Database,
  resources: readonly Resource[],
  options: MirrorOptions,
): Promise<MirrorReport> =>
  withSource(options, (source) =>
    database.exclusively(MIRROR_LOCK, () => copy(database, new Registry(resources, COMMON_ACCESS), source, options)),
  )

async function copy(
  database: Database,
  registry: Registry,
  source: Source,
  { campusId, isWhole = false, progress = () => {}, onMissing = () => {}, scopes }: MirrorOptions,
): Promise<MirrorReport> {
  await requireOwnCopy(database, { url: source.url, campusId })
  const mirrored = mirroredResources(registry)
  const unreadable: { resource: string; reason: string }[] = []
  const unknown: Record<string, readonly string[]> = {}
  const flags: { flag: HiddenFlag; isListed: boolean }[] = []
  let missing: MissingRights | undefined
  let read = 0
  for (const resource of mirrored) {
    const onPage = (done: number, total: number) => progress(resource.name, done, total)
    const list = listOf(resource, campusId)
    const reading = new ListReader(list, { database, source, registry, onPage, isWhole })
    try {
      const outcome = await reading.run()
      read += outcome.read
      if (outcome.unknown.length > 0) unknown[resource.name] = outcome.unknown
      for (const flag of await hiddenFlags(database, list)) {
        const reason = await refusalOfFlag(reading, flag)
        flags.push({ flag, isListed: reason === undefined })
        if (reason !== undefined) unreadable.push({ resource: `${resource.name} by ${flag.filter}`, reason })
      }
    } catch (error) {
      if (!(error instanceof Unreadable && NOT_SHOWN.has(error.status))) throw error
      unreadable.push({ resource: resource.name, reason: error.message })
    }
    if (missing === undefined && source.requests > 0) {
      missing = missingRights(registry, { roles: source.roles, scopes })
      onMissing(missing)
    }
  }
  progress('writing', 0, 1)
  const listed = new Map(mirrored.map(({ table, name }) => [table, name]))
  const leftOut = registry.resources.filter(({ unmirrored }) => unmirrored !== undefined)
  const applied = await applyStaged(database, {
    flags,
    isNarrowed: campusId !== undefined,
    listed,
    unmirrored: new Set(leftOut.map(({ table }) => table)),
  })
  return {
    from: source.url,
    requests: source.requests,
    read,
    ...applied,
    missing: missingRights(registry, { roles: source.roles, scopes }),
    unreadable,
    problems: await problemsLeft(database),
    unknown,
    left_out: leftOut.map(({ name, unmirrored = '' }) => ({ resource: name, reason: unmirrored })),
  }
}

/** Reads the records with a hidden flag. Returns the reason if the service does not list records by the flag. */
async function refusalOfFlag(reading: ListReader, flag: HiddenFlag): Promise<string | undefined> {
  try {
    return (await reading.readFlag(flag)) ? undefined : `the service ignores filter[${flag.filter}]`
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return error.message
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
