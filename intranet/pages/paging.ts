import { type Html, html, say } from './html.ts'
import { type PageContext, pathOf } from './page.ts'

export const PER_PAGE = 25

/** A page of a list. `limit` is one more than a page shows, to detect a next page. */
export type Part = { readonly page: number; readonly limit: number; readonly offset: number }

/** Reads `page` from the address. An invalid number is page 1. */
export function partOf({ query }: PageContext): Part {
  const text = query.text('page')
  const page = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1
  return { page, limit: PER_PAGE + 1, offset: (page - 1) * PER_PAGE }
}

/** Drops the record that only shows that there is a next page. */
export const shownOf = <T>(records: readonly T[]): readonly T[] => records.slice(0, PER_PAGE)

/** Keeps the other parameters of the address. */
export function pageLinks({ path }: PageContext, { page }: Part, found: number): Html | '' {
  const hasNext = found > PER_PAGE
  if (page === 1 && !hasNext) return ''
  const to = (target: number) => {
    const [withoutQuery, query] = path.split('?')
    const parameters = new URLSearchParams(query)
    parameters.set('page', String(target))
    return `${withoutQuery}?${parameters}`
  }
  return html`
  <nav class="actions" aria-label="${say('Pages')}">
    ${page > 1 ? html`<a href="${to(page - 1)}" rel="prev">${say('Previous page')}</a>` : ''}
    <span>${say('Page {page, number}', { page })}</span>
    ${hasNext ? html`<a href="${to(page + 1)}" rel="next">${say('Next page')}</a>` : ''}
  </nav>`
}

export const searchForm = (context: PageContext, label: string): Html => html`
  <form method="get" action="${pathOf(context)}" role="search">
    <div class="field"><label for="q">${label}</label>
      <div class="search"><input type="search" id="q" name="q" value="${context.query.text('q')}"><button>${say('Search')}</button></div>
    </div>
  </form>`
