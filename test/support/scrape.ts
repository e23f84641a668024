import type { Client } from './client.ts'

/** A family of a scrape. */
export type Scraped = { readonly type: string; readonly help: string; readonly samples: readonly string[] }

/** Returns the metrics of `/metrics` by the names of their families. */
export async function scrape(client: Client): Promise<ReadonlyMap<string, Scraped>> {
  const { text } = await client.get('/metrics')
  const families = new Map<string, { type: string; help: string; samples: string[] }>()
  let current = { type: '', help: '', samples: [] as string[] }
  for (const line of text.split('\n')) {
    const [, word, name = '', said = ''] = /^# (HELP|TYPE) (\w+) (.*)$/.exec(line) ?? []
    if (word === 'HELP') {
      current = { type: '', help: said, samples: [] }
      families.set(name, current)
    } else if (word === 'TYPE') current.type = said
    else if (line !== '') current.samples.push(line)
  }
  return families
}

/** The values of those samples of a family that have these labels, added up. */
export function sampleOf(
  families: ReadonlyMap<string, Scraped>,
  name: string,
  labels: Record<string, string> = {},
): number {
  const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ''))
  const wanted = Object.entries(labels).map(([key, value]) => `${key}="${value}"`)
  return (family?.samples ?? [])
    .filter((line) => /^\w+/.exec(line)?.[0] === name && wanted.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}
