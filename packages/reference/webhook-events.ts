import { type Html, html, say } from '@campus/intranet/pages/html'
import { code } from './code.ts'
import type { ReferencePage } from './layout.ts'
import type { Reference, ReferenceResource, WebhookModel } from './model.ts'
import { typeOf } from './schemas.ts'
import type { ShownExamples } from './shown-examples.ts'

const TITLE = 'Webhook events'
const ABOUT =
  'What an application can subscribe to: a model, which is what a record is called, and an event, which is what has become of it.'

/** /apidoc/webhook-events */
export const webhookEventsPage = ({ subjects }: Reference): ReferencePage => ({
  title: TITLE,
  markdown: '/apidoc/webhook-events.md',
  summary: ABOUT,
  lead: html`<p><a href="/apidoc/guides/receiving-calls#webhooks-of-applications">How to subscribe, and what is sent</a></p>`,
  main: html`
      <section class="prose">${subjects.map(({ title, resources }) => {
        const models = modelsOf(resources)
        return models.length === 0
          ? ''
          : html`
      <h2>${title}</h2>
      <dl class="resources">${models.map(
        ({ resource, webhook: { model, events } }) => html`
        <div><dt><a href="/apidoc/${resource}#webhooks"><code>${model}</code></a></dt><dd>${Object.keys(events).join(', ')}</dd></div>`,
      )}
      </dl>`
      })}
      </section>`,
})

const modelsOf = (resources: readonly ReferenceResource[]) =>
  resources.flatMap(({ name, webhook }) => (webhook ? [{ resource: name, webhook }] : []))

/** Renders the events of a resource and an example of a body. */
export const webhookSection = (reference: Reference, webhook: WebhookModel, examples: ShownExamples): Html => html`
    <section class="action webhooks" id="webhooks" aria-labelledby="webhooks-title">
      <div class="prose">
      <h2 id="webhooks-title">${say('Webhooks')} <a class="anchor" href="#webhooks" aria-label="${say('Link to this part')}">#</a></h2>
      <p>Applications subscribe to the model <code>${webhook.model}</code> and one of these events (<a href="/apidoc/guides/receiving-calls#webhooks-of-applications">how</a>). The body is ${typeOf(reference, webhook.schema)}; of <code>destroy</code> the <code>id</code> alone.</p>
      <dl class="fields">${Object.entries(webhook.events).map(
        ([event, label]) => html`
        <div><dt><code>${event}</code></dt><dd>${label}</dd></div>`,
      )}
      </dl>
      </div>
      <div class="aside"><div class="stays">
      ${code(requestOf(webhook, examples), 'json', say('Request'))}
      </div></div>
    </section>`

const requestOf = (webhook: WebhookModel, examples: ShownExamples): string =>
  `X-Model: ${webhook.model}\nX-Event: update\n\n${JSON.stringify(examples.bodyOf(webhook), null, 2)}`

export const webhookMarkdown = (webhook: WebhookModel, examples: ShownExamples): string =>
  [
    '## Webhooks',
    `Applications subscribe to the model \`${webhook.model}\` and one of these events; of \`destroy\` the \`id\` alone is sent.`,
    eventLines(webhook),
    `\`\`\`text\n${requestOf(webhook, examples)}\n\`\`\``,
  ].join('\n\n')

const eventLines = ({ events }: WebhookModel): string =>
  Object.entries(events)
    .map(([event, label]) => `- \`${event}\`: ${label}`)
    .join('\n')

export const webhookEventsMarkdown = ({ subjects }: Reference): string =>
  `# ${TITLE}\n\n${ABOUT}\n${subjects
    .map(({ title, resources }) => {
      const models = modelsOf(resources).map(({ webhook }) => `\n### ${webhook.model}\n\n${eventLines(webhook)}\n`)
      return models.length === 0 ? '' : `\n## ${title}\n${models.join('')}`
    })
    .join('')}`
