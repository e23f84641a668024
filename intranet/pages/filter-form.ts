import { type Html, html, say } from './html.ts'
import { type PageContext, pathOf } from './page.ts'

type Choice = { readonly value: string; readonly label: string }
type Filter = { readonly name: string; readonly label: string } & (
  | { readonly type: 'search' | 'date' }
  | {
      readonly choices: readonly Choice[]
      /** The choice without a filter, if it has a value of its own. */
      readonly all?: Choice
      /** The chosen value, if it is not the one of the address. */
      readonly chosen?: string
    }
)

export const filterForm = (context: PageContext, label: string, filters: readonly Filter[]): Html => html`
  <form class="filters" method="get" action="${pathOf(context)}" role="search" aria-label="${label}">
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

/** Returns the word that the address asks for, or undefined if it is not one of `words`. */
export const chosenOf = <T extends string>({ query }: PageContext, name: string, words: readonly T[]): T | undefined =>
  words.find((word) => word === query.text(name))
