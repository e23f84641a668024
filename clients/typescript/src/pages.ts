/** A page of a list. */
export type Page<T> = {
  readonly items: readonly T[]
  /** Number of records on all pages, when this page was read. */
  readonly total: number
  readonly number: number
  /** Maximum age in seconds of a stale answer. */
  readonly ageSeconds: number | undefined
}

type Query = Readonly<Record<string, unknown>>
type Ask = (query: Query) => Promise<{ readonly data?: unknown; readonly response: Response }>

const MAX_PER_PAGE = 100
/** The preference for an answer that may be some seconds old. */
export const STALE_OK = 'stale-ok'

/** Follows the links from page to page. Pages are as long as they may be, unless the query says otherwise. */
export async function* walk(ask: Ask, asked: Query = {}): AsyncGenerator<Page<unknown>, void> {
  const isSized = 'per_page' in asked || 'page[size]' in asked
  let query: Query | undefined = isSized ? asked : { ...asked, per_page: MAX_PER_PAGE }
  while (query) {
    const { data, response } = await ask(query)
    yield {
      items: data as readonly unknown[],
      total: Number(response.headers.get('x-total')),
      number: Number(response.headers.get('x-page')),
      ageSeconds: ageOf(response.headers),
    }
    query = nextOf(response.headers.get('link'))
  }
}

function ageOf(headers: Headers): number | undefined {
  const isStale = headers.get('preference-applied')?.includes(STALE_OK) ?? false
  return isStale ? Number(headers.get('age')) : undefined
}

/** The query of the next page. Where the link leads is left aside, so that a token is sent to no other address. */
function nextOf(link: string | null): Query | undefined {
  const [, next] = /<([^>]*)>;\s*rel="next"/.exec(link ?? '') ?? []
  const query = next?.split('?')[1]
  if (query === undefined) return undefined
  const sent = new URLSearchParams(query)
  return Object.fromEntries([...sent.keys()].map((name) => [name, valuesOf(sent.getAll(name))]))
}

const valuesOf = (values: readonly string[]) => (values.length === 1 ? values[0] : values)
