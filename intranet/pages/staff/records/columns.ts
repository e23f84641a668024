import { type Html, html, say } from '../../html.ts'
import type { PersonPageContext } from '../../page-context.ts'
import { hiddenFields, type ListAddress } from './address.ts'
import { pathOf, type Routed } from './resource.ts'

const SHOWN_AT_FIRST = 7
const REFERRING_AT_FIRST = 3
/** Columns that say little to a reader. */
const NOT_AT_FIRST = ['id', 'url', 'slug', 'updated_at']

const namesIn = (resource: Routed): readonly string[] =>
  resource
    .representationFields(resource.answers?.index ?? 'record')
    .map(([name]) => name)
    .filter((name) => name !== 'id')

/** Returns the columns of the address, else those chosen in this browser, else the first ones. */
export function columnsOf(context: PersonPageContext, resource: Routed, { columns }: ListAddress): readonly string[] {
  const names = namesIn(resource)
  const chosen = (columns ?? context.chosenColumns)?.filter((name) => names.includes(name))
  if (chosen && chosen.length > 0) return chosen
  const plain = names.filter((name) => {
    const field = resource.fields[name]
    return !NOT_AT_FIRST.includes(name) && (field?.stored !== undefined || field?.embeds?.by !== undefined)
  })
  // Columns that refer to other records come first.
  const [referring, others] = [true, false].map((refers) =>
    plain.filter((name) => (resource.fields[name]?.embeds?.by !== undefined) === refers),
  )
  const first = [...(referring ?? []).slice(0, REFERRING_AT_FIRST), ...(others ?? [])]
  return (plain.length > 0 ? first : names).slice(0, SHOWN_AT_FIRST)
}

export function columnsForm(context: PersonPageContext, resource: Routed, address: ListAddress): Html {
  const present = columnsOf(context, resource, address)
  return html`
  <details><summary>${say('Columns')}</summary>
    <form method="get" action="${pathOf(resource)}">
      ${hiddenFields(resource, { ...address, columns: undefined })}
      <fieldset class="field choices"><legend>${say('Columns to show')}</legend>${namesIn(resource).map(
        (name) => html`
        <div class="choice"><input type="checkbox" id="column-${name}" name="column[]" value="${name}"${present.includes(name) ? html` checked` : ''}>
          <label for="column-${name}">${name}</label></div>`,
      )}</fieldset>
      <button class="second">${say('Show these')}</button>
    </form>
  </details>`
}

export function sentColumns({ query }: PersonPageContext, resource: Routed): readonly string[] | undefined {
  const sent = query.list('column')
  const known = namesIn(resource).filter((name) => sent.includes(name))
  return known.length > 0 ? known : undefined
}
