import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { sql } from 'kysely'
import { DENIALS, denialOf, isAdministrator } from '../../access/powers.ts'
import { applicationById, findApplications } from '../../oauth/applications/all.ts'
import { rolesOf, setRights } from '../../oauth/applications/rights.ts'
import { auditRecordsAbout } from '../../services/audit/audit.ts'
import { inTransaction } from '../actor.ts'
import { staffApplicationDeletion } from '../applications/delete.ts'
import { unregisteredNote } from '../applications/unregistered-note.ts'
import { USAGE_IS_LIVE, usageOf } from '../applications/usage.ts'
import { auditList } from '../audit-texts.ts'
import { badge, empty } from '../components.ts'
import { checkboxes, csrfField, errorSummary, textField } from '../fields.ts'
import { html, say, sayWith } from '../html.ts'
import { formPage, type PersonPageContext, page, pageContent, recordId, redirectTo } from '../page.ts'
import { pageLinks, partOf, searchForm, shownOf } from '../paging.ts'
import { timeOf } from '../times.ts'

const labels = () => ({
  roles: say('Roles'),
  rate_per_second: say('Calls a second'),
  rate_per_hour: say('Calls an hour'),
})

const list = page({
  path: '/staff/applications',
  access: 'staff',
  async show(context) {
    const part = partOf(context)
    const found = await findApplications(context.dependencies.database, context.query.text('q'), part)
    return pageContent(
      say('Applications'),
      html`
      ${searchForm(context, say('Name, or login of the owner'))}
      ${found.length === 0 ? empty(say('No application matches. Look for a part of the name, or for the whole login of the owner.')) : ''}
      ${shownOf(found).map(
        ({ id, uid, name, owner, roles, scopes, created_at }) => html`
      <article class="card" aria-labelledby="application-${id}">
        <h2 id="application-${id}"><a href="/staff/applications/${id}">${name}</a></h2>
        <p>${roles.length === 0 ? say('No roles') : roles.map((role) => html`${badge('note', role)} `)}</p>
        <p class="quiet">${owner ? say('Of {owner}', { owner }) : (unregisteredNote(uid) ?? say('Without an owner'))} · ${sayWith(
          'Scopes: {scopes} · since {since}',
          { scopes: scopes.join(', '), since: timeOf(context, created_at) },
        )}</p>
      </article>`,
      )}
      ${pageLinks(context, part, found.length)}`,
    )
  },
})

const one = formPage({
  path: '/staff/applications/:id',
  access: 'staff',
  isLive: USAGE_IS_LIVE,
  async show(context, state) {
    const { database } = context.dependencies
    const found = await applicationById(database, recordId(context))
    const granted = await rolesOf(database, found.id)
    const roles = await allRoles(database)
    const events = await auditRecordsAbout(database, found.id, 20)
    const { mayGrant, refusal } = await powerOver(context, found.owner_id)
    const named = labels()
    const blank = say('Blank: what its roles give.')
    const note = unregisteredNote(found.uid)
    return pageContent(
      found.name,
      html`
      ${note ? html`<p>${note}</p>` : ''}
      ${found.description ? html`<p class="lines">${found.description}</p>` : ''}
      <dl class="facts">
        <dt>${say('Owner')}</dt>
        <dd>${found.owner_id === null ? say('nobody') : html`<a href="/staff/users/${found.owner_id}">${found.owner}</a>`}</dd>
        ${
          found.suspended_at
            ? html`<dt>${say('Suspended')}</dt><dd>${sayWith(
                '{state} since {time}: the account of its owner is closed',
                {
                  state: badge('bad', say('suspended')),
                  time: timeOf(context, found.suspended_at),
                },
              )}</dd>`
            : ''
        }
        <dt>${say('Client id')}</dt><dd class="code">${found.uid}</dd>
        <dt>${say('Scopes')}</dt><dd>${found.scopes.join(', ')}</dd>
        <dt>${say('Redirect addresses')}</dt>
        <dd>${found.redirect_uris.length === 0 ? say('none') : found.redirect_uris.map((uri) => html`<span class="code">${uri}</span><br>`)}</dd>
        <dt>${say('Rate in force')}</dt>
        <dd>${say('{second, plural, one {# call} other {# calls}} a second, {hour, number} an hour', {
          second: found.ratePerSecond,
          hour: found.ratePerHour,
        })}</dd>
      </dl>
      <h2>${say('Roles and rates')}</h2>
      ${errorSummary(state.errors, named)}
      ${mayGrant ? '' : html`<p>${granted.length === 0 ? say('No roles') : granted.map(({ name }) => html`${badge('note', name)} `)}</p>`}
      ${
        refusal
          ? html`<p class="quiet">${say(DENIALS[refusal])}</p>`
          : html`
      <form method="post" action="/staff/applications/${found.id}">
        ${csrfField(context)}
        ${
          mayGrant
            ? html`<details${'roles' in state.errors ? html` open` : ''}><summary>${say('Roles: {roles}', { roles: granted.map(({ name }) => name).join(', ') || say('none') })}</summary>${checkboxes(
                state,
                {
                  name: 'roles',
                  label: named.roles,
                  chosen: granted.map(({ id }) => String(id)),
                  choices: roles.map(({ id, name, description }) => ({
                    value: String(id),
                    label: name,
                    ...(description ? { hint: description } : {}),
                  })),
                },
              )}</details>`
            : ''
        }
        <div class="columns">
        ${textField(state, {
          name: 'rate_per_second',
          label: named.rate_per_second,
          type: 'number',
          value: String(found.rate_per_second ?? ''),
          hint: blank,
        })}
        ${textField(state, {
          name: 'rate_per_hour',
          label: named.rate_per_hour,
          type: 'number',
          value: String(found.rate_per_hour ?? ''),
          hint: blank,
        })}
        </div>
        <div class="actions"><button>${say('Save')}</button><a href="/staff/applications">${say('All applications')}</a></div>
      </form>`
      }
      ${await usageOf(context, found)}
      ${refusal ? '' : html`<p><a class="button danger" href="/staff/applications/${found.id}/delete">${say('Delete')}</a></p>`}
      <h2>${say('Activity')}</h2>
      ${auditList(context, events, { personId: found.owner_id ?? 0 })}`,
      { scripts: ['refresh'] },
    )
  },
  async submit(context, form) {
    const id = recordId(context)
    const roles = form.list('roles').map(readRole)
    const rate_per_second = readRate('rate_per_second', form.text('rate_per_second'))
    const rate_per_hour = readRate('rate_per_hour', form.text('rate_per_hour'))
    await inTransaction(context, async (tx, by) => {
      const { owner_id } = await applicationById(tx, id)
      const { mayGrant } = await powerOver(context, owner_id)
      // People who cannot grant roles see no roles to choose.
      const roleIds = mayGrant || roles.length > 0 ? roles : undefined
      await setRights(tx, { id, roleIds, rate_per_second, rate_per_hour, ...by })
    })
    return redirectTo(`/staff/applications/${id}`, { notice: say('Saved.') })
  },
})

export const STAFF_APPLICATION_PAGES = [...list, ...one, ...staffApplicationDeletion]

/** Returns whether the person grants roles, and the reason if they may not set rates. */
async function powerOver({ dependencies: { database }, person }: PersonPageContext, ownerId: number | null) {
  const mayGrant = await isAdministrator(database, person.id)
  const isOwn = ownerId === null || ownerId === person.id
  const refusal = isOwn ? ('notAdministrator' as const) : await denialOf(database, person.id, ownerId)
  return { mayGrant, refusal: mayGrant ? undefined : refusal }
}

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
