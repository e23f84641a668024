import assert from 'node:assert/strict'
import type { Registry } from '@campus/engine/rest/declare/registry'
import type { World } from './campus.ts'
import type { Client } from './client.ts'
import { type Kitchen, RECIPES } from './recipes.ts'

/** What an application may be given, so that it may do everything. */
export const EVERYTHING = {
  roles: [
    'Advanced Staff',
    'Advanced Tutor',
    'Moderator',
    'Companies Manager',
    'Shop manager',
    'Transactions manager',
    '42network',
  ],
  scopes: ['public', 'projects', 'profile', 'elearning', 'tig', 'forum'],
} as const

// biome-ignore lint/suspicious/noExplicitAny: records of every resource
export type AnyRecord = any

/** Finds and makes records through the API, as a caller with all rights. */
export type OpenKitchen = Kitchen & {
  readonly registry: Registry
  readonly chef: Client
  /** The id of the person whom the chef's token stands for. */
  readonly owner: number
  /** Some records of a resource as its list shows them, newest or oldest first. */
  list(path: string): Promise<readonly AnyRecord[]>
}

type KitchenOptions = {
  /** Gives unique words. */
  readonly word?: () => string
  /** The person whom the chef's token stands for; a new one unless said. */
  readonly owner?: number
}

export async function openKitchen(
  world: World,
  registry: Registry,
  { word = numberedWords(), owner: known }: KitchenOptions = {},
): Promise<OpenKitchen> {
  const owner = known ?? (await world.build.user({ kind: 'admin' }))
  await world.database.rows('insert into administrators values ($1, now()) on conflict do nothing', [owner])
  const chef = await world.caller({ ...EVERYTHING, user: owner })
  const start = world.clock.now().getTime()
  const found = new Map<string, number>()

  const kitchen: OpenKitchen = {
    world,
    registry,
    chef,
    owner,
    async get(path) {
      const { status, json, text } = await chef.get(path)
      assert.equal(status, 200, `GET ${path}: ${text}`)
      return json
    },
    async list(path) {
      const records: readonly AnyRecord[] = await kitchen.get(`${path}?per_page=100`)
      return records.map((record) => unwrapped(registry, path.split('/')[2] as string, record))
    },
    async find(resource) {
      const id = found.get(resource) ?? (await kitchen.list(`/v2/${resource}`))[0]?.id ?? (await kitchen.make(resource))
      found.set(resource, id)
      return id
    },
    async make(resource, values = {}) {
      const recipe = RECIPES[resource]
      if (recipe?.make) return recipe.make(kitchen, values)
      assert.ok(recipe?.payload, `there is no recipe for ${resource}`)
      const payload = { ...(await recipe.payload(kitchen)), ...(await recipe.alone?.(kitchen)), ...values }
      const { status, json, text } = await chef.post(`/v2/${resource}`, { [registry.get(resource).singular]: payload })
      assert.equal(status, 201, `POST /v2/${resource}: ${text}`)
      return unwrapped(registry, resource, Array.isArray(json) ? json[0] : json).id
    },
    word,
    inDays: (days) => new Date(start + days * 86_400_000).toISOString(),
  }
  return kitchen
}

function numberedWords(): () => string {
  let words = 0
  return () => {
    words += 1
    return `word-${words}`
  }
}

/** The record of a resource whose records come as `{ singular: record }`. */
export function unwrapped(registry: Registry, resource: string, record: AnyRecord): AnyRecord {
  const { wrapped, singular } = registry.get(resource)
  return wrapped ? record[singular] : record
}
