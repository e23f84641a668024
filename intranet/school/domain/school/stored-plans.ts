import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { MAX_PLAN_BYTES, namesIn, type PlanElement, readStoredPlan } from './clean-plan.ts'
import { MAX_SEAT_PLANS } from './seat-plans.ts'

export type StoredPlan = {
  readonly id: number
  readonly name: string
  /** Changes each time the drawing is saved. */
  readonly version: string
  readonly bytes: number
  readonly isReadable: boolean
  /** Ids of the shapes. A shape is a seat if its id is the name of a computer. */
  readonly hosts: readonly string[]
}

type Read = Pick<StoredPlan, 'isReadable' | 'hosts'>

const UNREADABLE: Read = { isReadable: false, hosts: [] }
/** Estimates the size of a cache entry. Strings of a parsed text may retain the whole text in memory. */
const sizeOf = (svg: string, elements: number) => 200 + svg.length * 2 + elements * 160
/** Fits the largest drawings of one campus with their shapes, and the names in the drawings of ten campuses. */
const MAX_CACHED_BYTES = 32 * 1_048_576

/** Reads drawings of floors. Caches the names and the shapes of each version, so that page views do not parse a drawing again. */
export class StoredPlans {
  readonly #kysely: Handle['kysely']
  readonly #read = new LRUCache<string, Read>({ maxSize: MAX_CACHED_BYTES })
  readonly #parsed = new LRUCache<string, PlanElement>({ maxSize: MAX_CACHED_BYTES })

  constructor({ kysely }: Pick<Handle, 'kysely'>) {
    this.#kysely = kysely
  }

  /** Returns the plans of a campus by name, without parsing them. */
  async ofCampus(campusId: number): Promise<StoredPlan[]> {
    const plans = await this.#plans()
      .select(['name', sql<number>`octet_length(svg)`.as('bytes')])
      .where('campus_id', '=', campusId)
      .orderBy('name')
      .limit(MAX_SEAT_PLANS)
      .execute()
    const found = new Map(
      plans.map((plan) => [keyOf(plan), plan.bytes > MAX_PLAN_BYTES ? UNREADABLE : this.#read.get(keyOf(plan))]),
    )
    const missing = plans.filter((plan) => found.get(keyOf(plan)) === undefined)
    for (const { svg, ...plan } of await this.#texts(missing)) {
      const read = { isReadable: true, hosts: namesIn(svg) }
      this.#read.set(keyOf(plan), read, { size: sizeOf(svg, 0) })
      found.set(keyOf(plan), read)
    }
    return plans.flatMap((plan) => {
      const read = found.get(keyOf(plan))
      // Omits a plan that was replaced or deleted since the first query.
      return read ? { ...plan, ...read } : []
    })
  }

  /** Returns undefined if the plan is invalid. */
  async parse(plan: StoredPlan): Promise<PlanElement | undefined> {
    if (!plan.isReadable) return undefined
    const cached = this.#parsed.get(keyOf(plan))
    if (cached) return cached
    const [stored] = await this.#texts([plan])
    if (!stored) return undefined
    const key = keyOf(stored)
    // Another request may have parsed the plan during the query.
    const parsed = this.#parsed.get(key) ?? readStoredPlan(stored.svg)
    if (parsed) this.#parsed.set(key, parsed, { size: sizeOf(stored.svg, elementsOf(parsed)) })
    else this.#read.set(key, UNREADABLE, { size: sizeOf('', 0) })
    return parsed
  }

  #plans() {
    return this.#kysely.selectFrom('seat_plans').select(['id', sql<string>`xmin::text`.as('version')])
  }

  /** Reads the texts of plans. Skips plans above the maximum size. */
  async #texts(plans: readonly Pick<StoredPlan, 'id'>[]) {
    if (plans.length === 0) return []
    const ids = plans.map(({ id }) => id)
    return this.#plans()
      .select('svg')
      .where('id', 'in', ids)
      .where(sql<boolean>`octet_length(svg) <= ${MAX_PLAN_BYTES}`)
      .execute()
  }
}

const keyOf = ({ id, version }: Pick<StoredPlan, 'id' | 'version'>) => `${id}/${version}`

const elementsOf = ({ content }: PlanElement): number =>
  content.reduce((sum, part) => sum + (typeof part === 'string' ? 0 : elementsOf(part)), 1)
