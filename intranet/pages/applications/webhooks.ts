import { notFound, unprocessable } from '@campus/engine/errors'
import { ownApplication } from '../../oauth/applications/own.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  findWebhook,
  testWebhook,
  webhooksOf,
} from '../../oauth/applications/webhooks.ts'
import {
  type BriefWebhookDelivery,
  findWebhookDelivery,
  listWebhookDeliveries,
} from '../../webhooks/applications/log.ts'
import type { Models } from '../../webhooks/applications/models.ts'
import { APPLICATION_TABLES } from '../../webhooks/delivery-tables.ts'
import { replayOne } from '../../webhooks/replay.ts'
import { reasonForOwner } from '../../webhooks/stored-reasons.ts'
import { inTransaction } from '../actor.ts'
import { badge, empty, table } from '../components.ts'
import { confirmation, isConfirmed } from '../confirm.ts'
import { copied } from '../copy.ts'
import { attemptTable, resultOf, stateBadge } from '../delivery-state.ts'
import { buttonForm, csrfField, errorSummary, selectField, textField } from '../fields.ts'
import { type Html, html, say, sayWith } from '../html.ts'
import { formAction, formPage, page, pageContent, recordId, redirectTo } from '../page.ts'
import type { PageContext, PersonPageContext } from '../page-context.ts'
import { pageLinks, partOf, shownOf } from '../paging.ts'
import { hasReference } from '../reference-link.ts'
import { claimForm, formIdField } from '../sent-once.ts'
import { timeOf } from '../times.ts'

const PATH = '/applications/:id/webhooks'
const labels = () => ({
  model: say('What it subscribes to'),
  event: say('What has to happen to it'),
  url: say('Address'),
  campus_id: say('Campus'),
  description: say('What it is for'),
  secret: say('Secret'),
})

const list = formPage({
  path: PATH,
  access: 'signed-in',
  async show(context, state) {
    const { database, subscribing } = context.dependencies
    const { id, name } = await ownApplication(database, context.person.id, recordId(context))
    const webhooks = await webhooksOf(database, id)
    const models = subscribing.models()
    return pageContent(
      say('Webhooks of {name}', { name }),
      html`
      ${errorSummary(state.errors, labels())}
      <p>${say('When records change that the application may see, an address of yours is called.')}</p>
      ${
        webhooks.length === 0
          ? empty(say('It has no webhooks yet.'))
          : table(
              say('Webhooks'),
              [say('Event'), say('Address'), say('State')],
              webhooks.map((one) => [
                html`<a href="/applications/${id}/webhooks/${one.id}">${one.model} ${one.event}</a>`,
                html`<span class="code">${one.url}</span>`,
                enabledBadge(one.active),
              ]),
            )
      }
      <h2>${say('Add a webhook')}</h2>
      ${hasReference() ? html`<p><a href="/apidoc/webhook-events">${say('Webhook events')}</a></p>` : ''}
      <form method="post" action="/applications/${id}/webhooks">
        ${csrfField(context)}${formIdField()}
        ${selectField(state, { name: 'model', label: labels().model, choices: modelChoices(models), chosen: '', required: true })}
        ${selectField(state, { name: 'event', label: labels().event, choices: eventChoices(models), chosen: 'create' })}
        ${textField(state, { name: 'url', label: labels().url, type: 'url', required: true })}
        ${selectField(state, { name: 'campus_id', label: labels().campus_id, choices: await campusChoices(context), chosen: '' })}
        ${textField(state, { name: 'description', label: labels().description })}
        <div class="actions"><button>${say('Add the webhook')}</button><a href="/applications/${id}">${say('Cancel')}</a></div>
      </form>`,
      { trail: [{ path: `/applications/${id}`, label: name }] },
    )
  },
  async submit(context, form) {
    const { subscribing } = context.dependencies
    const applicationId = recordId(context)
    const word = (name: string) => form.text(name).trim()
    const campus = word('campus_id')
    if (word('model') === '') throw unprocessable({ model: ['must be chosen'] })
    const made = await inTransaction(context, async (tx, by) => {
      await ownApplication(tx, context.person.id, applicationId)
      if (!(await claimForm(tx, context, form))) return undefined
      const values = {
        applicationId,
        model: word('model'),
        event: word('event'),
        url: word('url'),
        description: word('description') || null,
        campusId: campus === '' ? null : Number(campus) || 0,
      }
      return createWebhook(tx, values, { ...subscribing, ...by })
    })
    if (!made)
      return redirectTo(`/applications/${applicationId}/webhooks`, {
        notice: say(
          'The webhook is already added. If you did not copy its secret, delete the webhook and add it again.',
        ),
      })
    return pageContent(
      say('The webhook is added'),
      html`
      <p class="notice"><strong>${say('Copy the secret now.')}</strong> ${say('It is shown this once. Each call carries it, and is signed with it.')}</p>
      <dl class="card"><dt>${labels().secret}</dt><dd>${copied({ id: 'secret', text: made.secret ?? '', button: say('Copy the secret') })}</dd></dl>
      <div class="actions"><a class="button" href="/applications/${applicationId}/webhooks/${made.id}">${say('Go on to the webhook')}</a></div>`,
      { scripts: ['copy'] },
    )
  },
})

const one = page({
  path: `${PATH}/:webhook`,
  access: 'signed-in',
  isLive: { tables: ['webhook_deliveries', 'webhooks'] },
  async show(context) {
    const { database } = context.dependencies
    const { webhook, application, path: to } = await ownWebhook(context)
    const part = partOf(context)
    const deliveries = await listWebhookDeliveries(database, { subscriptionId: webhook.id, ...part })
    const { switched_off_because: why } = webhook
    return pageContent(
      `${webhook.model} ${webhook.event}`,
      html`
      <div class="actions" data-refresh="actions" data-watch="page">
        ${webhook.active ? buttonForm(context, `${to}/test`, say('Send the newest record')) : buttonForm(context, `${to}/switch`, say('Switch on'))}
        ${buttonForm(context, `${to}/delete`, say('Delete'), { kind: 'danger' })}
      </div>
      <dl class="facts" data-refresh="facts">
        <dt>${labels().url}</dt><dd class="code">${webhook.url}</dd>
        <dt>${say('State')}</dt><dd>${enabledBadge(webhook.active)} ${why === null ? '' : say(reasonForOwner(why))}</dd>
        ${webhook.campus_id === null ? '' : html`<dt>${labels().campus_id}</dt><dd>${webhook.campus_id}</dd>`}
        ${webhook.description ? html`<dt>${labels().description}</dt><dd>${webhook.description}</dd>` : ''}
      </dl>
      <h2>${say('Deliveries')}</h2>
      <div data-refresh="deliveries">${deliveryTable(context, to, shownOf(deliveries))}
      ${pageLinks(context, part, deliveries.length)}</div>`,
      {
        scripts: ['refresh'],
        trail: [
          { path: `/applications/${application.id}`, label: application.name },
          { path: `/applications/${application.id}/webhooks`, label: say('Webhooks') },
        ],
      },
    )
  },
})

const delivery = formPage({
  path: `${PATH}/:webhook/deliveries/:delivery`,
  access: 'signed-in',
  isLive: { tables: ['webhook_deliveries', 'webhooks'] },
  async show(context, state) {
    const { webhook, path: to } = await ownWebhook(context)
    const found = await findWebhookDelivery(context.dependencies.database, webhook.id, deliveryId(context))
    const name = `${webhook.model} ${webhook.event}`
    return pageContent(
      say('Delivery about {record}', { record: found.record_id }),
      html`
      ${errorSummary(state.errors, {})}
      <div data-refresh="delivery" data-watch="page"><dl class="facts">
        <dt>${say('State')}</dt><dd>${stateBadge(found.state)}</dd>
        <dt>${say('Recorded')}</dt><dd>${timeOf(context, found.created_at)}</dd>
        <dt>${say('Last result')}</dt><dd>${resultOf(found, reasonForOwner)}</dd>
        ${
          found.state === 'pending' && found.tries > 0 && found.next_try_at !== null
            ? html`<dt>${say('Next attempt')}</dt><dd>${timeOf(context, found.next_try_at)}</dd>`
            : ''
        }
        <dt>X-Delivery</dt><dd class="code">${found.message_id}</dd>
      </dl>
      ${
        found.state === 'pending' || !webhook.active
          ? ''
          : html`<form method="post" action="${to}/deliveries/${found.id}">${csrfField(context)}<button>${say('Replay')}</button></form>`
      }
      ${attemptTable(context, found.attempts, { isForStaff: false })}
      ${found.answer ? html`<h2>${say('Last answer')}</h2><pre class="card" tabindex="0">${found.answer}</pre>` : ''}</div>`,
      { scripts: ['refresh'], trail: [{ path: to, label: name }] },
    )
  },
  async submit(context) {
    const { webhook, path } = await ownWebhook(context)
    const id = deliveryId(context)
    await findWebhookDelivery(context.dependencies.database, webhook.id, id)
    await inTransaction(context, (tx, by) => replayOne(tx, id, by, APPLICATION_TABLES))
    return redirectTo(`${path}/deliveries/${id}`, { notice: say('It is queued again.') })
  },
})

const testing = formAction({
  path: `${PATH}/:webhook/test`,
  access: 'signed-in',
  async submit(context) {
    const { subscribing } = context.dependencies
    const { webhook, path } = await ownWebhook(context)
    const id = await inTransaction(context, (tx, by) => testWebhook(tx, webhook.id, { ...subscribing, ...by }))
    return redirectTo(`${path}/deliveries/${id}`, {
      notice: say('The newest record is being sent. Its result appears on this page.'),
    })
  },
})

const switching = formAction({
  path: `${PATH}/:webhook/switch`,
  access: 'signed-in',
  async submit(context) {
    const { subscribing } = context.dependencies
    const { webhook, path } = await ownWebhook(context)
    await inTransaction(context, (tx, by) =>
      changeWebhook(tx, webhook.id, { isEnabled: true }, { ...subscribing, ...by }),
    )
    return redirectTo(path, { notice: say('It is switched on.') })
  },
})

const deletion = formAction({
  path: `${PATH}/:webhook/delete`,
  access: 'signed-in',
  async submit(context, form) {
    const { webhook, application, path } = await ownWebhook(context)
    if (!isConfirmed(form))
      return confirmation(context, {
        title: say('Delete the webhook {name}?', { name: `${webhook.model} ${webhook.event}` }),
        text: sayWith(
          '{address} is not called any more. Its secret and the log of its deliveries are deleted, too. This cannot be undone.',
          {
            address: html`<span class="code">${webhook.url}</span>`,
          },
        ),
        back: path,
        button: say('Delete the webhook'),
        isDanger: true,
      })
    await inTransaction(context, (tx, by) => deleteWebhook(tx, webhook.id, by))
    return redirectTo(`/applications/${application.id}/webhooks`, { notice: say('The webhook is deleted.') })
  },
})

export const WEBHOOK_PAGES = [...list, ...one, ...delivery, ...testing, ...switching, ...deletion]

const modelChoices = (models: Models) => [
  { value: '', label: say('Choose …') },
  ...[...models.keys()].sort().map((name) => ({ value: name, label: name, isApiWord: true })),
]

/** Labels an event with its models unless all models have it. */
const eventChoices = (models: Models) => {
  const modelsOfEvent = new Map<string, string[]>()
  for (const [model, { events }] of models)
    for (const event of Object.keys(events)) modelsOfEvent.set(event, [...(modelsOfEvent.get(event) ?? []), model])
  return [...modelsOfEvent].map(([value, names]) => ({
    value,
    label: names.length === models.size ? value : `${value} (${names.join(', ')})`,
    isApiWord: true,
  }))
}

const campusChoices = async ({ dependencies: { database } }: PersonPageContext) => {
  const campuses = await database.kysely.selectFrom('campus').select(['id', 'name']).orderBy('name').execute()
  return [
    { value: '', label: say('All campuses') },
    ...campuses.map(({ id, name }) => ({ value: String(id), label: name })),
  ]
}

/** Finds the webhook in the path. Throws 404 unless the person owns its application. */
async function ownWebhook(context: PersonPageContext) {
  const { database } = context.dependencies
  const application = await ownApplication(database, context.person.id, recordId(context))
  const webhook = await findWebhook(database, recordId({ params: { id: context.params.webhook ?? '' } }))
  if (webhook.application_id !== application.id) throw notFound('There is no such webhook.')
  return { webhook, application, path: `/applications/${application.id}/webhooks/${webhook.id}` }
}

const deliveryId = ({ params }: PageContext) => recordId({ params: { id: params.delivery ?? '' } })

const enabledBadge = (isEnabled: boolean): Html =>
  isEnabled ? badge('good', say('On')) : badge('bad', say('Switched off'))

const deliveryTable = (context: PageContext, to: string, deliveries: readonly BriefWebhookDelivery[]): Html =>
  deliveries.length === 0
    ? empty(say('There are none yet.'))
    : table(
        say('Deliveries'),
        [say('Record'), say('Recorded'), say('State'), say('Attempts'), say('Last result')],
        deliveries.map((found) => [
          html`<a href="${to}/deliveries/${found.id}">${found.record_id}</a>`,
          timeOf(context, found.created_at),
          stateBadge(found.state),
          found.tries,
          resultOf(found, reasonForOwner),
        ]),
      )
