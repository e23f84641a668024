import { type Html, html, say } from './html.ts'
import type { PageContext } from './page-context.ts'

/** How many records a page of a list shows. */
export const PER_PAGE = 25

/** The requested part of a list: one row more than is shown, to know whether others follow. */
export type Part = { readonly page: number; readonly limit: number; readonly offset: number }

/** Reads `page` from the address; what is no page number is the first. */
export function partOf({ query }: PageContext): Part {
  const text = query.text('page')
  const page = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1
  return { page, limit: PER_PAGE + 1, offset: (page - 1) * PER_PAGE }
}

/** The records to show, without the one that was asked for to see whether there are more. */
export const shownOf = <T>(records: readonly T[]): readonly T[] => records.slice(0, PER_PAGE)

/** Links to the parts before and after, with whatever else the address asks for. */
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

/** A search over the list of the page, which works without scripts. */
export const searchForm = ({ path, query }: PageContext, label: string): Html => html`
  <form method="get" action="${path.split('?', 1)[0]}" role="search">
    <div class="field"><label for="q">${label}</label>
      <div class="search"><input type="search" id="q" name="q" value="${query.text('q')}"><button>${say('Search')}</button></div>
    </div>
  </form>`
