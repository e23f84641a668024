import { embeddedOnly, type Resource } from '@campus/engine/rest/declare/declaration'
import { booleanKind } from '@campus/engine/rest/declare/fields/kinds'
import type { Client } from '@campus/test/support/client'

type Side = { readonly client: Client; readonly url: string }

/**
 * Reads every list that is mirrored, page by page, of two services, and names what differs: `users: X-Total`, or the list and the
 * path of the field, as `events: nbr_subscribers`. Booleans that records hide are compared by filters. The same bytes, but for the service's own address, are no difference; pictures
 * of a copy are where its source has them.
 */
export async function differences(resources: readonly Resource[], there: Side, here: Side): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const resource of resources) {
    if (resource.actions === embeddedOnly || resource.unmirrored !== undefined) continue
    const sort = resource.index.sort.includes('id') ? '&sort=id' : ''
    for (const name of hiddenFlagsOf(resource)) {
      const path = `/v2/${resource.name}?page[size]=100&filter[${name}]=true${sort}`
      const [wanted, got] = await Promise.all([there, here].map(({ client }) => client.get(path)))
      const idsOf = (json: readonly { readonly id: number }[]) => json.map(({ id }) => id).join()
      if (wanted?.status !== 200 || got?.status !== 200) found.add(`${resource.name}: filter[${name}] status`)
      else if (idsOf(wanted.json) !== idsOf(got.json)) found.add(`${resource.name}: filter[${name}]`)
    }
    for (let page = 1, isOver = false; !isOver; page += 1) {
      const path = `/v2/${resource.name}?page[size]=100&page[number]=${page}${sort}`
      const [wanted, got] = await Promise.all([there, here].map(({ client }) => client.get(path)))
      const texts = [
        wanted?.text.replaceAll(there.url, ''),
        got?.text.replaceAll(here.url, '').replaceAll(`${there.url}/uploads/`, '/uploads/'),
      ]
      isOver = wanted?.status !== 200 || wanted.json.length < 100
      if (wanted?.status !== got?.status) found.add(`${resource.name}: status`)
      if (wanted?.headers.get('x-total') !== got?.headers.get('x-total')) found.add(`${resource.name}: X-Total`)
      else if (texts[0] !== texts[1]) {
        const paths = pathsOf(JSON.parse(texts[0] ?? 'null'), JSON.parse(texts[1] ?? 'null'), '')
        for (const one of paths.length > 0 ? paths : ['bytes']) found.add(`${resource.name}: ${one}`)
      }
    }
  }
  return [...found].sort()
}

/** Booleans of a resource that no record shows and that its list can be filtered by. */
function hiddenFlagsOf({ fields, index }: Resource): readonly string[] {
  const filters: readonly string[] = [...(index.filter ?? index.sort), ...Object.keys(index.customFilters ?? {})]
  return Object.entries(fields).flatMap(([name, { hidden, stored }]) =>
    hidden && stored?.kind === booleanKind && filters.includes(name) ? [name] : [],
  )
}

/** Returns the paths at which two JSON values differ. Indexes of lists are left out. */
function pathsOf(one: unknown, other: unknown, at: string): readonly string[] {
  if (JSON.stringify(one) === JSON.stringify(other)) return []
  const isList = Array.isArray(one)
  const areAlike = isObject(one) && isObject(other) && isList === Array.isArray(other)
  if (!areAlike || (isList && one.length !== (other as unknown as readonly unknown[]).length)) return [at]
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].flatMap((name) =>
    pathsOf(one[name], other[name], isList ? at : [at, name].filter(Boolean).join('.')),
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
