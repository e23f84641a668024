import type { Caller } from '@campus/engine/http/caller'
import { type Access, grantOf } from '@campus/engine/rest/declare/access'
import { roleHolders } from '../../access/holders.ts'
import { ROLES, rolesThatGive } from '../../access/roles.ts'
import { SCOPES } from '../../access/scopes.ts'
import { avatar } from '../avatar.ts'
import { type Html, html, say } from '../html.ts'
import { page, pageContent } from '../page.ts'
import { labelOf, pathOf, type Routed, routedResources } from './records/resource.ts'

export const roles = page({
  path: '/staff/roles',
  access: 'staff',
  async show(context) {
    const { database, registry } = context.dependencies
    const holders = Map.groupBy(await roleHolders(database), ({ role }) => role)
    const resources = routedResources(registry)
    return pageContent(
      say('Roles'),
      html`
      <p>${say('A member of the staff reads and writes records by the roles that they have; an application has roles of its own. Whatever needs no role is not listed. What is listed is what the API lets the role do.')}</p>
      <div class="actions"><a class="button second" href="/staff/records/roles_users">${say('Give and take roles')}</a>
        <a class="button second" href="/staff/applications">${say('Roles of applications')}</a></div>
      ${ROLES.map(
        (role) => html`
      <section class="card" id="${slugOf(role)}"><h2 translate="no">${role}</h2>
        ${meaningOf(role, resources)}
        ${inclusionOf(role)}
        <p>${(holders.get(role) ?? []).map((one) => html`<a class="face" href="/staff/users/${one.id}">${avatar(one)}${one.login}</a> `)}</p>
        ${holders.has(role) ? '' : html`<p class="quiet">${say('Nobody has it.')}</p>`}</section>`,
      )}`,
    )
  },
})

const slugOf = (role: string) => role.replaceAll(' ', '-')

const VERBS = ['index', 'create', 'update', 'destroy'] as const
type Verb = (typeof VERBS)[number]

const WORDS: Readonly<Record<Verb, () => string>> = {
  index: () => say('Reads'),
  create: () => say('Creates'),
  update: () => say('Changes'),
  destroy: () => say('Deletes'),
}

/** Lists what a role may do that nobody may do without one. */
function meaningOf(role: string, resources: readonly Routed[]): Html {
  const opened = VERBS.map((verb) => ({ verb, opens: resources.filter((one) => isOpened(role, one, verb)) }))
  const known = opened.filter(({ opens }) => opens.length > 0)
  if (known.length === 0) return html`<p class="quiet">${say('It opens no records.')}</p>`
  return html`<dl class="facts">${known.map(
    ({ verb, opens }) => html`<dt>${WORDS[verb]()}</dt>
    <dd>${opens.map((one, index) => html`${index > 0 ? ', ' : ''}<a href="${pathOf(one)}">${labelOf(one)}</a>`)}</dd>`,
  )}</dl>`
}

function isOpened(role: string, { actions }: Routed, verb: Verb): boolean {
  const access = accessOf(actions, verb)
  return access !== undefined && mayAll(access, [role]) && !mayAll(access, [])
}

const accessOf = (actions: Routed['actions'], verb: Verb): Access | undefined =>
  verb === 'index' ? actions.index : actions[verb]?.access

/** Reports whether a caller with these roles and every scope may act on records of others. */
function mayAll(access: Access, roles: readonly string[]): boolean {
  const caller: Caller = {
    application: { id: 0, uid: '', name: '', roles, ratePerSecond: 0, ratePerHour: 0 },
    scopes: Object.keys(SCOPES),
    resourceOwnerId: 0,
  }
  const grant = grantOf(access, caller)
  return grant !== undefined && grant.ownAssociation === undefined
}

function inclusionOf(role: (typeof ROLES)[number]): Html | '' {
  const included = ROLES.filter((other) => other !== role && rolesThatGive(other).includes(role))
  return included.length === 0 ? '' : html`<p>${say('It includes {role}.', { role: included.join(', ') })}</p>`
}
