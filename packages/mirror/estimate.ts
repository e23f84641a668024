import type { Database } from '@campus/engine/database/database'
import type { Resource } from '@campus/engine/rest/declare/declaration'
import { Registry } from '@campus/engine/rest/declare/registry'
import { COMMON_ACCESS } from '@campus/intranet/school/resources/access'
import { requireMayBeCopied } from './copied-from.ts'
import { hiddenFlags } from './hidden-flags.ts'
import { listOf, mirroredResources } from './lists.ts'
import type { MirrorOptions } from './mirror.ts'
import { type MissingRights, missingRights } from './rights.ts'
import { Unreadable, withSource } from './source.ts'

/** The lists of a whole copy, and the time that they take at the rate of the service. */
export type MirrorEstimate = {
  readonly from: string
  readonly lists: readonly { readonly resource: string; readonly records: number; readonly pages: number }[]
  readonly unreadable: readonly { readonly resource: string; readonly reason: string }[]
  readonly missing: MissingRights
  readonly pages: number
  readonly seconds: number
}

const PAGE_SIZE = 100
const HOUR_SECONDS = 3600

/** Reads the length of each list, and writes nothing. */
export const estimateMirror = (
  database: Database,
  resources: readonly Resource[],
  { campusId, progress = () => {}, ...options }: MirrorOptions,
): Promise<MirrorEstimate> =>
  withSource(options, async (source) => {
    await requireMayBeCopied(database, { url: source.url, campusId })
    const registry = new Registry(resources, COMMON_ACCESS)
    const mirrored = mirroredResources(registry)
    const lists: { resource: string; records: number; pages: number }[] = []
    const unreadable: { resource: string; reason: string }[] = []
    for (const [at, resource] of mirrored.entries()) {
      progress(resource.name, at, mirrored.length)
      const list = listOf(resource, campusId)
      const count = async (name: string, query: Readonly<Record<string, string>>): Promise<boolean> => {
        try {
          const { total = 0 } = await source.page(list.path, { ...list.narrowed, ...query, 'page[size]': 1 })
          lists.push({ resource: name, records: total, pages: Math.max(1, Math.ceil(total / PAGE_SIZE)) })
          return true
        } catch (error) {
          if (!(error instanceof Unreadable)) throw error
          unreadable.push({ resource: name, reason: error.message })
          return false
        }
      }
      if (!(await count(resource.name, {}))) continue
      for (const { filter, usual } of await hiddenFlags(database, list))
        await count(`${resource.name} by ${filter}`, { [`filter[${filter}]`]: String(!usual) })
    }
    const pages = lists.reduce((sum, list) => sum + list.pages, 0)
    const { perSecond, perHour } = source.rate
    const seconds = Math.ceil(Math.max(pages / perSecond, pages <= perHour ? 0 : (pages / perHour) * HOUR_SECONDS))
    const missing = missingRights(registry, { roles: source.roles, scopes: options.scopes })
    return { from: source.url, lists, unreadable, missing, pages, seconds }
  })
