import { sql } from 'kysely'
import { eventsAbout } from '../../audit/audit.ts'
import type { Handle } from '../../database/database.ts'
import { unprocessable } from '../../errors.ts'
import { applicationById, findApplications } from '../../oauth/applications/all.ts'
import { rolesOf, setRights } from '../../oauth/applications/rights.ts'
import { callsByHour } from '../../oauth/call-counts.ts'
import { actorOf } from '../actor.ts'
import { badge } from '../badge.ts'
import { callsChart } from '../chart.ts'
import { empty } from '../empty.ts'
import { eventList } from '../events.ts'
import { checkboxes, csrfField, errorSummary, textField } from '../fields.ts'
import { html } from '../html.ts'
import { formPage, page, redirectTo, view } from '../page.ts'
import { pageLinks, partOf, searchForm, shownOf } from '../paging.ts'
import { recordId } from '../record-id.ts'
import { timeOf } from '../times.ts'

const LABELS = { roles: 'Roles', rate_per_second: 'Calls a second', rate_per_hour: 'Calls an hour' }

/** /staff/applications: all there are. */
const list = page({
  path: '/staff/applications',
  access: 'staff',
  async show(visit) {
    const part = partOf(visit)
    const found = await findApplications(visit.dependencies.database, visit.query.text('q'), part)
    return view(
      'Applications',
      html`
      ${searchForm(visit, 'Name, or login of the owner')}
      ${found.length === 0 ? empty('None found. Look for a part of the name, or for the whole login of the owner.') : ''}
      ${shownOf(found).map(
        ({ id, name, owner, roles, scopes, created_at }) => html`
      <article class="card" aria-labelledby="application-${id}">
        <h2 id="application-${id}"><a href="/staff/applications/${id}">${name}</a></h2>
        <p>${roles.length === 0 ? 'No roles' : roles.map((role) => html`${badge('note', role)} `)}</p>
        <p class="quiet">${owner ? `Of ${owner}` : 'Of nobody'} · Scopes: ${scopes.join(', ')} · since
          ${timeOf(visit, created_at)}</p>
      </article>`,
      )}
      ${pageLinks(visit, part, found.length)}`,
    )
  },
})

/** /staff/applications/:id: what it is, what it does, and what staff give it. */
const one = formPage({
  path: '/staff/applications/:id',
  access: 'staff',
  async show(visit, state) {
    const { database, clock } = visit.dependencies
    const found = await applicationById(database, recordId(visit))
    const granted = await rolesOf(database, found.id)
    const roles = await allRoles(database)
    const hours = await callsByHour(database, found.id, { now: clock.now(), hours: 24 })
    const events = await eventsAbout(database, found.id, 20)
    return view(
      found.name,
      html`
      ${found.description ? html`<p class="lines">${found.description}</p>` : ''}
      <dl class="facts">
        <dt>Owner</dt>
        <dd>${found.owner_id === null ? 'nobody' : html`<a href="/staff/users/${found.owner_id}">${found.owner}</a>`}</dd>
        ${
          found.suspended_at
            ? html`<dt>Suspended</dt><dd>${badge('bad', 'suspended')} since ${timeOf(visit, found.suspended_at)}: the account of its owner is closed</dd>`
            : ''
        }
        <dt>Client id</dt><dd class="code">${found.uid}</dd>
        <dt>Scopes</dt><dd>${found.scopes.join(', ')}</dd>
        <dt>Redirect addresses</dt>
        <dd>${found.redirect_uris.length === 0 ? 'none' : found.redirect_uris.map((uri) => html`<span class="code">${uri}</span><br>`)}</dd>
        <dt>Rate in force</dt><dd>${found.ratePerSecond} calls a second, ${found.ratePerHour} an hour</dd>
      </dl>
      <h2>Roles and rates</h2>
      ${errorSummary(state.errors, LABELS)}
      <form method="post" action="/staff/applications/${found.id}">
        ${csrfField(visit)}
        ${checkboxes(state, {
          name: 'roles',
          label: LABELS.roles,
          chosen: granted.map(({ id }) => String(id)),
          choices: roles.map(({ id, name, description }) => ({
            value: String(id),
            label: name,
            ...(description ? { hint: description } : {}),
          })),
        })}
        <div class="columns">
        ${textField(state, {
          name: 'rate_per_second',
          label: LABELS.rate_per_second,
          type: 'number',
          value: String(found.rate_per_second ?? ''),
          hint: 'Blank: what its roles give.',
        })}
        ${textField(state, {
          name: 'rate_per_hour',
          label: LABELS.rate_per_hour,
          type: 'number',
          value: String(found.rate_per_hour ?? ''),
          hint: 'Blank: what its roles give.',
        })}
        </div>
        <div class="actions"><button>Save</button><a href="/staff/applications">All applications</a></div>
      </form>
      <h2>Calls</h2>
      ${callsChart(visit, hours)}
      <h2>What was done to it</h2>
      ${eventList(visit, events, found.owner_id ?? 0)}`,
    )
  },
  async submit(visit, form) {
    const { database, clock } = visit.dependencies
    const [id, actor, now] = [recordId(visit), actorOf(visit), clock.now()]
    const roleIds = form.list('roles').map(readRole)
    const rate_per_second = readRate('rate_per_second', form.text('rate_per_second'))
    const rate_per_hour = readRate('rate_per_hour', form.text('rate_per_hour'))
    await database.transaction(async (tx) => {
      await applicationById(tx, id)
      await setRights(tx, { id, roleIds, rate_per_second, rate_per_hour, actor, now })
    })
    return redirectTo(`/staff/applications/${id}`, { notice: 'Saved.' })
  },
})

export const STAFF_APPLICATION_PAGES = [...list, ...one]

const allRoles = ({ kysely }: Handle) =>
  kysely.selectFrom('roles').select(['id', 'name', 'description']).orderBy(sql`lower(name)`).execute()

function readRole(text: string): number {
  const id = Number(text)
  if (!/^\d{1,10}$/.test(text) || id > 2_147_483_647) throw unprocessable({ roles: ['must be among the choices'] })
  return id
}

function readRate(field: string, text: string): number | null {
  if (text.trim() === '') return null
  if (!/^\s*\d{1,15}\s*$/.test(text)) throw unprocessable({ [field]: ['must be a positive whole number'] })
  return Number(text)
}
