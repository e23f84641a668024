import xxhash from 'xxhash-wasm'

// No cryptography is asked of an ETag, and a digest of a page costs several times this.
const { h64Raw } = await xxhash()

/** What an action answers; `routes.ts` sends it. */
export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON text. */
  readonly body?: string | undefined
  /** What a repetition of the request is answered, where the body holds what must not be kept. */
  readonly remembered?: string | undefined
}

export const noContent: Answer = { status: 204, headers: {} }

/** 200 with JSON text. */
export const okay = (body: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 200,
  headers,
  body,
})

/** The weak ETag of a body. */
export const etagOf = (body: Buffer) => `W/"${h64Raw(body).toString(36)}"`

type PageLinks = {
  readonly url: string
  /** The query as it was sent. */
  readonly query: string
  readonly page: number
  readonly perPage: number
  readonly total: number
}

/** `Link`, `X-Page`, `X-Per-Page` and `X-Total` (api.md, Response headers; RFC 8288). */
export function pageHeaders({ url, query, page, perPage, total }: PageLinks): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / perPage))
  const kept = keptQuery(query, perPage)
  const link = (number: number, rel: string) => `<${url}?${kept}page=${number}>; rel="${rel}"`
  const links = [
    ...(page > 1 ? [link(1, 'first'), link(Math.min(page - 1, last), 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
  ]
  return {
    'x-page': String(page),
    'x-per-page': String(perPage),
    'x-total': String(total),
    ...(links.length > 0 ? { link: links.join(', ') } : {}),
  }
}

/** The other parameters, ending in `&`; the token is left out, and any form of page size becomes `per_page`. */
function keptQuery(query: string, perPage: number): string {
  if (query === '') return ''
  let sized = false
  const kept: string[] = []
  for (const part of query.split('&')) {
    const written = part.split('=', 1)[0] as string
    const name = /[%+]/.test(written) ? decodeURIComponent(written.replaceAll('+', ' ')) : written
    if (/^(per_page|page(\[|%5B)size(\]|%5D))$/i.test(name)) sized = true
    else if (part !== '' && !/^(access_token$|page(\[|%5B|$))/i.test(name)) kept.push(encodeLoose(part))
  }
  if (sized) kept.push(`per_page=${perPage}`)
  return kept.map((part) => `${part}&`).join('')
}

/** A client's text inside `<…>` of a header: nothing that could end it or the line. */
const encodeLoose = (part: string) =>
  part.replace(/[^\x21-\x7e]|[<>";]/g, (character) => encodeURIComponent(character.toWellFormed()))
