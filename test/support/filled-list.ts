import type { Route } from '@campus/engine/rest/route-table'
import type { Client } from './client.ts'
import { FACTORY_DEFINITIONS } from './factory-definitions.ts'
import { type AnyRecord, EVERYTHING, type RecordFactory } from './record-factory.ts'
import { requiredQuery } from './required-query.ts'

const MAX_ATTEMPTS = 120

/** The address of a list below parents of which it is not empty, if there are such, and who is to ask for it. */
export async function filledList(
  factory: RecordFactory,
  path: string,
  route: Route,
): Promise<{ readonly address: string; readonly caller: Client }> {
  const { name: resource } = route.resource
  const { me } = route
  // Records below /v2/me belong to the token's resource owner.
  const pattern = me ? path.replace('/me/', '/users/:user_id/') : path
  const parents = [...pattern.matchAll(/\/(\w+)\/:\w+/g)].map(([, parent]) => parent as string)
  await makeJoinTables(factory, resource, parents)
  const isFilled = async (ids: readonly number[]) =>
    (await factory.get(`${filledIn(pattern, ids)}?${requiredQuery(route)}`)).length > 0
  const found =
    (await firstOf(await candidates(factory, resource, parents), isFilled)) ??
    (await makeOne(factory, resource, parents))
  if (!me) return { address: filledIn(pattern, found), caller: factory.administrator }
  return { address: path, caller: await factory.world.caller({ ...EVERYTHING, user: found[0] as number }) }
}

const filledIn = (pattern: string, ids: readonly number[]) =>
  ids.reduce((text: string, id) => text.replace(/:\w+/, String(id)), pattern)

async function firstOf<T>(list: readonly T[], isWanted: (one: T) => Promise<boolean>): Promise<T | undefined> {
  for (const one of list) if (await isWanted(one)) return one
  return undefined
}

/** Associates a record of the resource with each parent, where a resource is their join table. */
async function makeJoinTables(factory: RecordFactory, resource: string, parents: readonly string[]): Promise<void> {
  await factory.find(resource)
  for (const joinTable of parents.map((parent) => `${parent}_${resource}`)) {
    if (FACTORY_DEFINITIONS[joinTable] && factory.registry.resources.some(({ name }) => name === joinTable))
      await factory.make(joinTable)
  }
}

/** Makes a record below parents that it names itself, and gives their ids. */
async function makeOne(
  factory: RecordFactory,
  resource: string,
  parents: readonly string[],
): Promise<readonly number[]> {
  const ids: number[] = []
  for (const parent of parents) ids.push(await factory.find(parent))
  const keys = parents.map((parent) => `${factory.registry.get(parent).singular}_id`)
  const isNamed = keys.every((key) => factory.registry.get(resource).stored(key))
  if (isNamed) await factory.make(resource, Object.fromEntries(keys.map((key, index) => [key, ids[index]])))
  return ids
}

/** Ids for the parents in a path: those that records of the resource name, then those that are there. */
async function candidates(factory: RecordFactory, resource: string, parents: readonly string[]): Promise<number[][]> {
  const [first, ...others] = parents
  if (first === undefined) return [[]]
  const records = await factory.list(`/v2/${resource}`)
  const said = records.map((record) => parents.map((parent) => idIn(record, factory, parent)))
  const named = said.filter((ids): ids is number[] => ids.every((id) => id !== undefined)).slice(0, 10)
  const rest: number[] = []
  for (const parent of others) rest.push(await factory.find(parent))
  const known = [await factory.find(first), ...(await factory.list(`/v2/${first}`)).map(({ id }) => id as number)]
  return [...named, ...known.map((id) => [id, ...rest])].slice(0, MAX_ATTEMPTS)
}

/** How a record names another: `user_id`, `user`, `user_ids` or `users`. */
function idIn(record: AnyRecord, { registry }: RecordFactory, parent: string): number | undefined {
  const { singular } = registry.get(parent)
  const [several] = Array.isArray(record[parent]) ? record[parent] : []
  return record[`${singular}_id`] ?? record[singular]?.id ?? record[`${singular}_ids`]?.[0] ?? several?.id
}
