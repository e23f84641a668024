import { embeddedOnly, type Resource } from '../../src/rest/declare/declaration.ts'
import type { Client } from '../support/client.ts'

type Side = { readonly client: Client; readonly url: string }

/**
 * Reads every list that is mirrored, page by page, of two services, and names what differs: `users: X-Total`, or the list and the
 * path of the field, as `events: nbr_subscribers`. The same bytes, but for the service's own address, are no difference; pictures
 * of a copy are where its source has them.
 */
export async function differences(resources: readonly Resource[], there: Side, here: Side): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const resource of resources) {
    if (resource.actions === embeddedOnly || resource.unmirrored !== undefined) continue
    const sort = resource.index.sort.includes('id') ? '&sort=id' : ''
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

/** Where two JSON values differ, without the places in lists. */
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
