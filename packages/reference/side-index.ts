import { type Html, html, say } from '@campus/intranet/pages/html'

export type Contents = readonly { readonly anchor: string; readonly title: string }[]

/** The path of the page that is shown, and all pages. */
export type Location = {
  readonly path: string
  readonly subjects: readonly { readonly title: string; readonly resources: readonly { readonly name: string }[] }[]
  readonly guides: readonly { readonly name: string; readonly title: string }[]
  /** The text of the search. */
  readonly query?: string
}

/** Renders links to all pages and to the contents of the shown page. Phones have it in a drawer. */
export const index = (contents: Contents, { path, subjects, guides }: Location): Html => html`
    <nav class="index" id="index" aria-label="${say('Reference')}" popover>
      <button class="index-close second" popovertarget="index" popovertargetaction="hide">${say('Close')}</button>
      <h2>${say('Guides')}</h2>
      <ul>${entry('/apidoc', say('Begin here'), path)}</ul>
      <ul lang="en">${guides.map(({ name, title }) => entry(`/apidoc/guides/${name}`, title, path))}</ul>
      <ul>
        ${entry('/apidoc/errors', say('Errors'), path)}
        ${entry('/apidoc/webhook-events', say('Webhook events'), path)}
      </ul>
      <h2>${say('Resources')}</h2>
      ${subjects.map(({ title, resources }) => {
        const isHere = resources.some(({ name }) => path === `/apidoc/${name}`)
        return html`
      <details lang="en"${isHere ? html` open` : ''}><summary>${title}</summary>
        <ul class="names">${resources.map(({ name }) => entry(`/apidoc/${name}`, name, path, contents))}</ul></details>`
      })}
    </nav>`

function entry(target: string, title: string, path: string, contents: Contents = []): Html {
  if (target !== path) return html`<li><a href="${target}">${title}</a></li>`
  return html`<li><a href="${target}" aria-current="page">${title}</a>${
    contents.length > 1
      ? html`<ul class="here">${contents.map((one) => html`<li><a href="#${one.anchor}">${one.title}</a></li>`)}</ul>`
      : ''
  }</li>`
}
