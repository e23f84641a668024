import type { JsonSchema } from '@campus/engine/rest/declare/fields/kinds'
import type { OpenapiDocument } from '@campus/engine/rest/openapi/document'
import type { World } from './campus.ts'
import type { Client } from './client.ts'
import { EVERYTHING } from './record-factory.ts'

/** An address that answers a list, as the OpenAPI document describes it. */
export type DescribedList = {
  /** With `{name}` for parameters. */
  readonly path: string
  /** The names of its query parameters. */
  readonly parameters: readonly string[]
  /** The names of the headers that come with a page. */
  readonly headers: readonly string[]
  /** The parameters without which it is refused, as the document shows them, each with `&` behind it. */
  readonly required: string
}

/** A list below parents of which it is not empty, and who may ask for it. */
export type FilledList = { readonly address: string; readonly required: string; readonly caller: Client }

type Part = Readonly<Record<string, JsonSchema>>

/** Every GET of the document of which the answer is an array. */
export function describedLists({ paths, components }: OpenapiDocument): DescribedList[] {
  const resolve = (part: JsonSchema): JsonSchema => {
    const [, section = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(String(part.$ref)) ?? []
    return components[section]?.[name] ?? part
  }
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const { parameters = [], responses = {} } = (get ?? {}) as { parameters?: JsonSchema[]; responses?: Part }
    const { content, headers = {} } = resolve(responses[200] ?? {}) as { content?: Part; headers?: Part }
    const schema = content?.['application/json']?.schema as JsonSchema | undefined
    if (!schema || resolve(schema).type !== 'array') return []
    const names = parameters.map(resolve).filter((parameter) => parameter.in === 'query')
    const required = names.flatMap(({ name, required, example }) =>
      required ? `${name}=${encodeURIComponent(String(example))}&` : [],
    )
    return [
      {
        path,
        parameters: names.map(({ name }) => String(name)),
        headers: Object.keys(headers),
        required: required.join(''),
      },
    ]
  })
}

const MAX_ATTEMPTS = 5_000

/** Finds parents of lists among the records that are there, and never makes any. */
export async function listFinder(
  world: World,
): Promise<(list: Pick<DescribedList, 'path' | 'required'>) => Promise<FilledList | undefined>> {
  const reader = await world.caller(EVERYTHING)
  const known = new Map<string, Promise<readonly number[]>>()
  const idsOf = (resource: string) => {
    const ids = known.get(resource) ?? readIds(reader, resource)
    known.set(resource, ids)
    return ids
  }

  return async ({ path, required }) => {
    // Records below /v2/me belong to the token's resource owner.
    const pattern = path.replace('/v2/me/', '/v2/users/{user_id}/')
    const parents = [...pattern.matchAll(/\/(\w+)\/\{\w+\}/g)].map(([, resource]) => resource as string)
    const lists = await Promise.all(parents.map(idsOf))
    const ids = await firstOf(combined(lists), async (ids) => isFilled(reader, addressOf(pattern, ids), required))
    if (!ids) return undefined
    if (path === pattern) return { address: addressOf(path, ids), required, caller: reader }
    return { address: path, required, caller: await world.caller({ ...EVERYTHING, user: ids[0] as number }) }
  }
}

const addressOf = (path: string, ids: readonly number[]) =>
  ids.reduce<string>((text, id) => text.replace(/\{\w+\}/, String(id)), path)

async function readIds(reader: Client, resource: string): Promise<readonly number[]> {
  const { json } = await reader.get(`/v2/${resource}?per_page=100&sort=id`)
  return json.map(({ id }: { id: number }) => id)
}

async function isFilled(reader: Client, address: string, required: string): Promise<boolean> {
  const { status, json, text } = await reader.get(`${address}?${required}per_page=1`)
  if (status !== 200) throw new Error(`GET ${address}: ${text}`)
  return json.length > 0
}

async function firstOf<T>(list: Iterable<T>, isWanted: (one: T) => Promise<boolean>): Promise<T | undefined> {
  let tries = 0
  for (const one of list) {
    if (await isWanted(one)) return one
    tries += 1
    if (tries === MAX_ATTEMPTS) return undefined
  }
  return undefined
}

/** One of each list, in every combination. */
function* combined([first, ...others]: readonly (readonly number[])[]): Generator<readonly number[]> {
  if (!first) yield []
  for (const one of first ?? []) for (const rest of combined(others)) yield [one, ...rest]
}
