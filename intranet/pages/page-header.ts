import type { Person } from '../access/sessions.ts'
import { avatar } from './avatar.ts'
import { csrfField } from './fields.ts'
import { type Html, html, say } from './html.ts'
import { type Entry, entriesOf, entryAbove, GROUPS, type Group, groupName } from './navigation.ts'
import { type PageContext, pathOf } from './page.ts'

export const SITE = 'Campus Intranet'

const mark: Html = html`<img src="/assets/icon.svg" alt="" width="24" height="24">${SITE}`

export const siteName: Html = html`<a class="name" href="/">${mark}</a>`

/** Shows the name of the service without a link. */
export const barePageHeader: Html = html`<header class="band"><p class="bar"><span class="name">${mark}</span></p></header>`

/**
 * Renders one line with a menu for each group, as popovers that need no script. Without a page context, as after a
 * failure, it shows what visitors see.
 */
export const pageHeader = (context: PageContext | undefined): Html => html`
  <header class="band">
    <nav class="bar" aria-label="${say('Main')}">
      ${siteName}
      <button class="menu-open" popovertarget="menu">${say('Menu')}</button>
      <div class="menu" id="menu" popover>
        <button class="menu-close" popovertarget="menu" popovertargetaction="hide">${say('Close the menu')}</button>
        ${GROUPS.filter((group) => group !== 'Account').map((group) => menuOf(group, entriesOf(group, context?.person), context))}
        ${context?.person ? personsMenu(context, context.person) : html`<a class="button menu-last" href="/sign-in">${say('Sign in')}</a>`}
      </div>
    </nav>
  </header>`

/** A single entry needs no menu. */
function menuOf(group: Group, entries: readonly Entry[], context: PageContext | undefined): Html | '' {
  const [only] = entries
  if (!only) return ''
  const current = entryAbove(pathOf(context))
  if (entries.length === 1) return link(only, current)
  return html`
        <div class="menu-group${current && entries.includes(current) ? ' has-current' : ''}">
          <button class="menu-toggle" popovertarget="menu-${group}">${groupName(group)}</button>
          <div class="menu-list" id="menu-${group}" popover>
            <p class="menu-heading">${groupName(group)}</p>
            <ul>${entries.map((entry) => html`<li>${link(entry, current)}</li>`)}</ul>
          </div>
        </div>`
}

const link = (entry: Entry, current: Entry | undefined): Html =>
  html`<a href="${entry.path}"${entry === current ? html` aria-current="page"` : ''}><span><span>${entry.label()}</span>
    <span class="about">${entry.about()}</span></span></a>`

const bell = ({ unread }: Person): Html => html`
        <a class="bell" href="/notifications" data-refresh="bell" aria-label="${say('Notifications: {count, plural, =0 {none is new} one {# is new} other {# are new}}', { count: unread })}"><svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d="M12 22a2.500 2.500 0 0 0 2.400-2H9.600A2.500 2.500 0 0 0 12 22zm7-6V11a7 7 0 0 0-5.500-6.800V3.500a1.500 1.500 0 0 0-3 0v.7A7 7 0 0 0 5 11v5l-2 2v1h18v-1z" fill="currentColor"/></svg>${unread > 0 ? html`<span class="count" aria-hidden="true">${unread > 99 ? '99+' : unread}</span>` : ''}</a>`

const personsMenu = (context: PageContext, person: Person): Html => html`
        <a class="search-link menu-last" href="/search" data-palette data-label="${say('People, projects, events, pages')}"><svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path d="M10.500 3a7.500 7.500 0 1 1-4.600 13.400L2 20.300l-.700-.700 3.900-3.900A7.500 7.500 0 0 1 10.500 3zm0 1.500a6 6 0 1 0 0 12 6 6 0 0 0 0-12z" fill="currentColor"/></svg>${say('Search')} <kbd class="for-scripts" translate="no">Ctrl K</kbd></a>
        ${bell(person)}
        <div class="menu-group">
          <button class="menu-toggle" popovertarget="menu-Account">${avatar(person)}${person.login}</button>
          <div class="menu-list" id="menu-Account" popover>
            <p class="menu-heading">${say('Account of {name}', { name: person.displayname })}</p>
            <ul><li><a href="/people/${encodeURIComponent(person.login)}"><span><span>${say('My profile')}</span>
    <span class="about">${say('How others see you')}</span></span></a></li>${entriesOf('Account', person).map((entry) => html`<li>${link(entry, entryAbove(pathOf(context)))}</li>`)}</ul>
            <form method="post" action="/sign-out">${csrfField(context)}<button>${say('Sign out')}</button></form>
          </div>
        </div>`
