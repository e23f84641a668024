import { type Html, html, say } from './html.ts'
import type { PageContext } from './page-context.ts'

type Choice = { readonly value: string; readonly label: string }
type Filter = { readonly name: string; readonly label: string } & (
  | { readonly type: 'search' | 'date' }
  | {
      readonly choices: readonly Choice[]
      /** The choice of everything, where that is asked for by a word. */
      readonly all?: Choice
      /** What is chosen, where that is not what the address says. */
      readonly chosen?: string
    }
)

/** Chooses what a page lists; it works without scripts. */
export const filterForm = (context: PageContext, label: string, filters: readonly Filter[]): Html => html`
  <form class="filters" method="get" action="${context.path.split('?', 1)[0]}" role="search" aria-label="${label}">
    ${filters.map(
      (filter) => html`
      <div class="field"><label for="${filter.name}">${filter.label}</label>
        ${'choices' in filter ? selectOf(context, filter) : inputOf(context, filter)}</div>`,
    )}
    <button class="second">${say('Show')}</button>
  </form>`

const inputOf = ({ query }: PageContext, { name, type }: { readonly name: string; readonly type: string }): Html =>
  html`<input type="${type}" id="${name}" name="${name}" value="${query.text(name)}">`

const selectOf = (
  { query }: PageContext,
  { name, choices, all, chosen = query.text(name) }: Extract<Filter, { choices: unknown }>,
): Html => {
  const options = [all ?? { value: '', label: say('all') }, ...choices]
  return html`<select id="${name}" name="${name}">${options.map(
    ({ value, label }) => html`<option value="${value}"${value === chosen ? html` selected` : ''}>${label}</option>`,
  )}</select>`
}

/** What the address asks for of these words; what is none of them asks for all. */
export const chosenOf = <T extends string>({ query }: PageContext, name: string, words: readonly T[]): T | undefined =>
  words.find((word) => word === query.text(name))
