import assert from 'node:assert/strict'
import type { Registry } from '@campus/engine/rest/declare/registry'
import type { World } from './campus.ts'
import type { Client } from './client.ts'
import { FACTORY_DEFINITIONS, type FactoryContext } from './factory-definitions.ts'

/** All roles and scopes of an application. */
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

/** Finds and creates records through the API, as a caller with all rights. */
export type RecordFactory = FactoryContext & {
  readonly registry: Registry
  readonly administrator: Client
  /** User id behind the administrator's token. */
  readonly owner: number
  /** Returns the first 100 records of a list, each without its `{ singular: … }` envelope. */
  list(path: string): Promise<readonly AnyRecord[]>
}

type FactoryOptions = {
  /** Returns a unique word. */
  readonly word?: () => string
  /** User id behind the administrator's token. Default: a new administrator. */
  readonly owner?: number
}

export async function createRecordFactory(
  world: World,
  registry: Registry,
  { word = numberedWords(), owner: known }: FactoryOptions = {},
): Promise<RecordFactory> {
  const owner = known ?? (await world.build.user({ kind: 'admin' }))
  await world.database.rows('insert into administrators values ($1, now()) on conflict do nothing', [owner])
  const administrator = await world.caller({ ...EVERYTHING, user: owner })
  const start = world.clock.now().getTime()
  const found = new Map<string, number>()

  const factory: RecordFactory = {
    world,
    registry,
    administrator,
    owner,
    async get(path) {
      const { status, json, text } = await administrator.get(path)
      assert.equal(status, 200, `GET ${path}: ${text}`)
      return json
    },
    async list(path) {
      const records: readonly AnyRecord[] = await factory.get(`${path}?per_page=100`)
      return records.map((record) => unwrapped(registry, path.split('/')[2] as string, record))
    },
    async find(resource) {
      const id = found.get(resource) ?? (await factory.list(`/v2/${resource}`))[0]?.id ?? (await factory.make(resource))
      found.set(resource, id)
      return id
    },
    async make(resource, values = {}) {
      const definition = FACTORY_DEFINITIONS[resource]
      if (definition?.make) return definition.make(factory, values)
      assert.ok(definition?.payload, `add ${resource} to test/support/factory-definitions.ts`)
      const payload = { ...(await definition.payload(factory)), ...(await definition.alone?.(factory)), ...values }
      const { status, json, text } = await administrator.post(`/v2/${resource}`, {
        [registry.get(resource).singular]: payload,
      })
      assert.equal(status, 201, `POST /v2/${resource}: ${text}`)
      return unwrapped(registry, resource, Array.isArray(json) ? json[0] : json).id
    },
    word,
    inDays: (days) => new Date(start + days * 86_400_000).toISOString(),
  }
  return factory
}

function numberedWords(): () => string {
  let words = 0
  return () => {
    words += 1
    return `word-${words}`
  }
}

/** Returns the record inside the envelope `{ singular: record }`, if the resource has one. */
export function unwrapped(registry: Registry, resource: string, record: AnyRecord): AnyRecord {
  const { wrapped, singular } = registry.get(resource)
  return wrapped ? record[singular] : record
}
