import type { Database } from '../../database/database.ts'
import type { Resource } from '../../rest/declare/declaration.ts'
import { Registry } from '../../rest/declare/registry.ts'
import { requireMayBeCopied } from './copied-from.ts'
import { listOf, mirroredResources } from './lists.ts'
import type { MirrorOptions } from './mirror.ts'
import { Unreadable, withSource } from './source.ts'

/** What a whole copy would read, and how long that takes at the rate of the service. */
export type MirrorEstimate = {
  readonly from: string
  readonly lists: readonly { readonly resource: string; readonly records: number; readonly pages: number }[]
  readonly unreadable: readonly { readonly resource: string; readonly reason: string }[]
  readonly pages: number
  readonly seconds: number
}

const PAGE_SIZE = 100
const HOUR_SECONDS = 3600

/** Reads the length of each list; writes nothing. */
export const estimateMirror = (
  database: Database,
  resources: readonly Resource[],
  { campusId, progress = () => {}, ...options }: MirrorOptions,
): Promise<MirrorEstimate> =>
  withSource(options, async (source) => {
    await requireMayBeCopied(database, { url: source.url, campusId })
    const mirrored = mirroredResources(new Registry(resources))
    const lists: { resource: string; records: number; pages: number }[] = []
    const unreadable: { resource: string; reason: string }[] = []
    for (const [at, resource] of mirrored.entries()) {
      progress(resource.name, at, mirrored.length)
      const { path, narrowed } = listOf(resource, campusId)
      try {
        const { total = 0 } = await source.page(path, { ...narrowed, 'page[size]': 1 })
        lists.push({ resource: resource.name, records: total, pages: Math.max(1, Math.ceil(total / PAGE_SIZE)) })
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error
        unreadable.push({ resource: resource.name, reason: error.message })
      }
    }
    const pages = lists.reduce((sum, list) => sum + list.pages, 0)
    const { perSecond, perHour } = source.rate
    const seconds = Math.ceil(Math.max(pages / perSecond, pages <= perHour ? 0 : (pages / perHour) * HOUR_SECONDS))
    return { from: source.url, lists, unreadable, pages, seconds }
  })
