import type { Slices } from '@campus/engine/base/slices'
import type { OpenapiDocument } from '@campus/engine/rest/openapi/document'
import { type Html, html, say } from '@campus/intranet/pages/html'
import { inOrder } from './action-order.ts'
import { actionSection, methodOf } from './action-section.ts'
import { firstCall } from './first-call.ts'
import type { Guide } from './guides.ts'
import type { ReferencePage } from './layout.ts'
import { markdownHtml } from './markdown-html.ts'
import type { Reference, ReferenceResource } from './model.ts'
import { fieldList } from './schemas.ts'
import type { Finding } from './search.ts'
import type { ShownExamples } from './shown-examples.ts'
import { webhookSection } from './webhook-events.ts'

/** /apidoc */
export const homePage = (document: OpenapiDocument, reference: Reference, guides: readonly Guide[]): ReferencePage => ({
  title: say('API reference'),
  markdown: '/apidoc.md',
  summary: 'Every address of the API with its parameters, its access and an example.',
  aside: firstCall(reference),
  lead: html`<h2 id="guides">Guides</h2>
          <ul class="cards">${guides.map(({ name, title }) => html`<li><a href="/apidoc/guides/${name}">${title}</a></li>`)}
            <li><a href="/apidoc/errors">Errors, and what to do</a></li>
            <li><a href="/apidoc/webhook-events">Webhook events</a></li></ul>`,
  main: html`
      <section class="prose">
      <h2 id="everywhere">What holds everywhere</h2>
      ${markdownHtml(String(document.info.description))}
      <h2 id="resources">Resources</h2>
      ${reference.subjects.map(
        ({ title, resources }) => html`
      <h3>${title}</h3>
      <dl class="resources">${resources.map(
        ({ name, summary }) => html`
        <div><dt><a href="/apidoc/${name}">${name}</a></dt><dd>${summary}</dd></div>`,
      )}
      </dl>`,
      )}
      </section>`,
})

/** /apidoc/:resource */
export function* resourcePage(
  reference: Reference,
  resource: ReferenceResource,
  examples: ShownExamples,
): Slices<ReferencePage> {
  const actions: Html[] = []
  for (const action of inOrder(resource))
    actions.push(
      yield* actionSection(reference, action, { examples: examples.of(action), isOpen: actions.length === 0 }),
    )
  if (resource.webhook) actions.push(webhookSection(reference, resource.webhook, examples))
  return withActions(reference, resource, actions)
}

const withActions = (reference: Reference, resource: ReferenceResource, actions: readonly Html[]): ReferencePage => ({
  title: resource.name,
  markdown: `/apidoc/${resource.name}.md`,
  summary: resource.summary + (resource.actions.length === 0 ? ' Seen and written only within other records.' : ''),
  contents: [
    ...inOrder(resource).map(({ anchor, title }) => ({ anchor, title })),
    ...(resource.webhook ? [{ anchor: 'webhooks', title: say('Webhooks') }] : []),
    ...(resource.records.length > 0 ? [{ anchor: 'fields', title: say('Fields') }] : []),
  ],
  main: html`
    ${actions}
    ${
      resource.records.length > 0
        ? html`
    <details class="endpoint"><summary><h2 id="fields-title">${say('Fields')}</h2></summary>
    <section id="fields" class="prose records" aria-labelledby="fields-title">
      ${resource.records.map(
        ({ representation, anchor, schema }) => html`
      <h3 id="${anchor}">${representation === 'record' ? say('The record') : say('As {representation}', { representation })}</h3>
      ${fieldList(reference, schema, { anchored: anchor })}`,
      )}
    </section></details>`
        : ''
    }`,
})

/** /apidoc/guides/:name */
export const guidePage = ({ name, title, main, sections }: Guide, guides: readonly Guide[]): ReferencePage => {
  const at = guides.findIndex((one) => one.name === name)
  const headings = sections.filter(({ anchor }) => anchor !== '')
  return {
    title,
    markdown: `/apidoc/guides/${name}.md`,
    ...(headings.length > 1 ? { aside: onThisPage(headings) } : {}),
    main: html`<div class="guide prose">${main}
      <nav class="neighbours" aria-label="${say('Guides before and after')}">
        ${neighbour(guides[at - 1], 'prev', say('Previous'))}
        ${neighbour(guides[at + 1], 'next', say('Next'))}
      </nav></div>`,
  }
}

const neighbour = (guide: Guide | undefined, relation: 'prev' | 'next', label: string): Html | '' =>
  guide
    ? html`<a rel="${relation}" href="/apidoc/guides/${guide.name}"><span class="quiet">${label}</span> ${guide.title}</a>`
    : ''

const onThisPage = (headings: Guide['sections']): Html => html`
      <nav class="on-page" aria-label="${say('On this page')}"><p class="quiet">${say('On this page')}</p>
        <ul>${headings.map(({ anchor, title }) => html`<li><a href="#${anchor}">${title}</a></li>`)}</ul></nav>`

export const findingsList = (findings: readonly Finding[], text: string): Html =>
  findings.length === 0
    ? html`<p>${say('Nothing has “{text}” in its path, name, fields or parameters.', { text })}</p>`
    : html`<ul class="findings">${findings.map(
        ({ href, kind, method, title, about }) => html`
      <li><a href="${href}">${method ? methodOf(method) : html`<span class="kind">${kindName(kind)}</span>`}
        <code class="path">${title}</code> <span class="quiet">${about}</span></a></li>`,
      )}
    </ul>`

function kindName(kind: Finding['kind']): string {
  if (kind === 'field') return say('field')
  if (kind === 'guide') return say('guide')
  if (kind === 'event') return say('event')
  return kind === 'error' ? say('error') : say('endpoint')
}

/** /apidoc/search?q= */
export const searchPage = (findings: readonly Finding[], text: string): ReferencePage => ({
  title: text ? say('Search: {text}', { text }) : say('Search'),
  main: html`<div class="prose">${
    text ? findingsList(findings, text) : html`<p>${say('Type a word of a path, a resource, a field or a guide.')}</p>`
  }</div>`,
})

/** /apidoc/callback: the redirect address of the console. The script reads the answer from the address. */
export const callbackPage = (): ReferencePage => ({
  title: say('Signing in'),
  main: html`<p>${say('You may close this window.')}</p>`,
})

export const missingPage = (path: string): ReferencePage => ({
  title: say('Not here'),
  status: 404,
  main: html`<p>The reference has no page at ${path}. All its pages are listed on <a href="/apidoc">the first one</a>.</p>`,
})
