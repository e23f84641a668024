import { raw } from 'hono/html'
import { marked } from 'marked'
import type { OpenapiDocument } from '../../rest/openapi/document.ts'
import { type Html, html } from '../html.ts'
import { actionSection } from './action-section.ts'
import type { Examples } from './examples.ts'
import type { Guide } from './guides.ts'
import type { ReferencePage } from './layout.ts'
import type { Reference, ReferenceResource } from './model.ts'
import { fieldList } from './schemas.ts'
import { findingsList, search } from './search.ts'

/** /apidoc: what there is. */
export const homePage = (
  document: OpenapiDocument,
  { resources }: Reference,
  guides: readonly Guide[],
): ReferencePage => ({
  title: 'Reference',
  main: html`
      <p>Every address of the API with its parameters, its access and a real answer. Search above, or begin with a guide.
        The same for programs: <a href="/apidoc/openapi.json" download>openapi.json</a>,
        <a href="/apidoc/openapi.yaml" download>openapi.yaml</a> (OpenAPI ${document.openapi}).</p>
      <h2>Guides</h2>
      <ul>${guides.map(({ name, title }) => html`<li><a href="/apidoc/guides/${name}">${title}</a></li>`)}</ul>
      <h2>What holds everywhere</h2>
      ${raw(marked.parse(String(document.info.description), { async: false })) as Html}
      <h2>Resources</h2>
      <dl class="resources">${resources.map(
        ({ name, summary }) => html`
        <div><dt><a href="/apidoc/${name}">${name}</a></dt><dd>${summary}</dd></div>`,
      )}
      </dl>`,
})

/** /apidoc/:resource */
export const resourcePage = (reference: Reference, resource: ReferenceResource, examples: Examples): ReferencePage => ({
  title: resource.name,
  summary: resource.summary + (resource.actions.length === 0 ? ' Seen and written only within other records.' : ''),
  contents: [
    ...resource.actions.map(({ anchor, title }) => ({ anchor, title })),
    ...(resource.records.length > 0 ? [{ anchor: 'fields', title: 'Fields' }] : []),
  ],
  main: html`
    ${resource.actions.map((action) => {
      const recorded = action.operations.map(({ id }) => examples[id]).find((list) => list !== undefined)
      return actionSection(reference, action, recorded ?? [])
    })}
    ${
      resource.records.length > 0
        ? html`
    <section id="fields" aria-labelledby="fields-title">
      <h2 id="fields-title">Fields</h2>
      ${resource.records.map(
        ({ representation, anchor, schema }) => html`
      <h3 id="${anchor}">${representation === 'record' ? 'The record' : `As ${representation}`}</h3>
      ${fieldList(reference, schema)}`,
      )}
    </section>`
        : ''
    }`,
})

export const guidePage = ({ title, main }: Guide): ReferencePage => ({
  title,
  main: html`<div class="guide">${main}</div>`,
})

/** /apidoc/search?q= */
export const searchPage = (reference: Reference, text: string): ReferencePage => ({
  title: text ? `Search: ${text}` : 'Search',
  main: text
    ? findingsList(search(reference, text), text)
    : html`<p>Type a word of a path, a resource or a parameter.</p>`,
})

/** What the web flow of the console comes back to; the script takes the answer from the address. */
export const callbackPage: ReferencePage = {
  title: 'Signing in',
  main: html`<p>You may close this window.</p>`,
}

export const missingPage = (path: string): ReferencePage => ({
  title: 'Not here',
  status: 404,
  main: html`<p>The reference has no page at ${path}. All its pages are listed on <a href="/apidoc">the first one</a>.</p>`,
})
