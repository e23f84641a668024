import { namesOf } from '@campus/engine/base/narrow'
import { NOTIFICATIONS, notificationText } from '../../school/domain/notifications/texts.ts'
import {
  chooseMailedKinds,
  mailedKinds,
  notificationsOf,
  readAllNotifications,
  readNotification,
} from '../../services/notifications/notifications.ts'
import { badge, empty } from '../components.ts'
import { buttonForm, checkboxes, csrfField } from '../fields.ts'
import { type Html, html, say } from '../html.ts'
import { formPage, type PersonPageContext, page, pageContent, recordId, redirectTo } from '../page.ts'
import { pageLinks, partOf, shownOf } from '../paging.ts'
import { plainTime, timeOf } from '../times.ts'

const PATH = '/notifications'
const KINDS = namesOf(NOTIFICATIONS)

const all = formPage({
  path: PATH,
  access: 'signed-in',
  isLive: { tables: ['notifications'] },
  async show(context, state) {
    const { database, config } = context.dependencies
    const part = partOf(context)
    const found = await notificationsOf(database, context.person.id, part)
    return pageContent(
      say('Notifications'),
      html`
      <div data-refresh="notifications" data-watch="page">
      ${context.person.unread > 0 ? buttonForm(context, PATH, say('Mark all as read'), { kind: 'second', fields: { wish: 'read' } }) : ''}
      ${
        found.length === 0
          ? empty(say('Nothing has happened yet. You are notified of evaluations, teams, marks and what staff say.'))
          : html`<ul class="list">${shownOf(found).map((one) => lineOf(context, one))}</ul>`
      }</div>
      ${pageLinks(context, part, found.length)}
      <h2>${say('By mail, too')}</h2>
      ${config.mail ? '' : html`<p class="quiet">${say('This school sends no mails yet; your choice counts when it does.')}</p>`}
      <form method="post" action="${PATH}">${csrfField(context)}
        ${checkboxes(state, { name: 'kinds', label: say('Email me about'), chosen: await mailedKinds(database, context.person.id), choices: KINDS.map((kind) => ({ value: kind, label: NOTIFICATIONS[kind].label() })) })}
        <button name="wish" value="choose">${say('Save')}</button></form>`,
      { scripts: ['refresh'] },
    )
  },
  async submit(context, form) {
    const { database, clock } = context.dependencies
    if (form.text('wish') === 'choose') {
      const kinds = KINDS.filter((kind) => form.list('kinds').includes(kind))
      await database.transaction((tx) => chooseMailedKinds(tx, context.person.id, kinds))
      return redirectTo(PATH, { notice: say('Your choice is saved.') })
    }
    await readAllNotifications(database, context.person.id, clock.now())
    return redirectTo(PATH)
  },
})

/** Marks a notification as read, and goes to its subject. */
const one = page({
  path: `${PATH}/:id`,
  access: 'signed-in',
  hasHead: false,
  async show(context) {
    const { database, clock } = context.dependencies
    const found = await readNotification(database, context.person.id, recordId(context), clock.now())
    return redirectTo(notificationText(found, String)?.path ?? PATH)
  },
})

export const NOTIFICATION_PAGES = [...all, ...one]

type Notification = Awaited<ReturnType<typeof notificationsOf>>[number]

function lineOf(context: PersonPageContext, { id, created_at, read_at, ...notification }: Notification): Html {
  const { text = notification.kind } = notificationText(notification, (at) => plainTime(context, at)) ?? {}
  return html`<li>${read_at ? '' : badge('note', say('new'))} <a href="${PATH}/${id}">${text}</a>
    <span class="quiet">${timeOf(context, created_at)}</span></li>`
}
