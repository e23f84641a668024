import { type Html, html } from './html.ts'

/** What stands in place of a list that has nothing: why, and where that changes. */
export const empty = (text: string | Html, action?: { readonly path: string; readonly label: string }): Html => html`
  <div class="empty"><p>${text}</p>
    ${action ? html`<p><a class="button second" href="${action.path}">${action.label}</a></p>` : ''}</div>`
