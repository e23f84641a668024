import { unprocessable } from '@campus/engine/errors'
import { apiPreview } from '../api-preview.ts'
import { type Answer, ask, type Change, type Item, send } from '../ask.ts'
import { avatar } from '../avatar.ts'
import { badge, card, list } from '../components.ts'
import { confirmation, isConfirmed } from '../confirm.ts'
import { buttonForm, csrfField, errorSummary, textField } from '../fields.ts'
import { type Html, html, say, sayWith } from '../html.ts'
import { type Form, type FormState, formPage, type Outcome, pageContent, recordId, redirectTo } from '../page.ts'
import type { PersonPageContext } from '../page-context.ts'
import { timeOf } from '../times.ts'
import { pathOfPerson } from './parts.ts'
import { stateOf } from './project-results.ts'

type Team = Answer<'/v2/teams/{id}'>
type Membership = Item<'/v2/teams/{team_id}/teams_users'>

const MAX_MEMBERS = 100
const labels = () => ({
  login: say('Login'),
  user_id: say('Who is invited'),
  team_id: say('The team'),
  locked_at: say('The lock'),
  closed_at: say('The hand-in'),
  validated: say('The invitation'),
  project_id: say('The project'),
})

export const team = formPage({
  path: '/teams/:id',
  access: 'signed-in',
  async show(context, state) {
    const id = recordId(context)
    const found = await ask(context, '/v2/teams/{id}', { path: { id } })
    const members = await membersOf(context, id)
    const project = await ask(context, '/v2/projects/{id}', { path: { id: found.value.project_id } })
    const own = members.value.find(({ user_id }) => user_id === context.person.id)
    return pageContent(
      found.value.name,
      html`
      ${errorSummary(state.errors, labels())}
      ${factsOf(context, found.value)}
      ${own && !own.validated ? invitation(context, id, own) : ''}
      <div class="grid large">
        ${card(say('Members'), membersList(context, found.value, members.value, own))}
        ${own?.validated ? card(say('What comes next'), nextSteps(context, state, found.value, members.value, own)) : ''}
        ${card(say('Evaluations'), evaluationsOf(context, found.value, own))}
      </div>
      ${apiPreview(found, members)}`,
      {
        trail: [
          { path: '/projects', label: say('Projects') },
          { path: `/projects/${project.value.id}`, label: project.value.name },
        ],
      },
    )
  },
  submit: (context, form) => act(context, form),
})

const membersOf = (context: PersonPageContext, id: number) =>
  ask(context, '/v2/teams/{team_id}/teams_users', {
    path: { team_id: id },
    query: { sort: 'id', per_page: MAX_MEMBERS },
  })

const factsOf = (context: PersonPageContext, one: Team): Html => html`
  <dl class="facts card">
    <dt>${say('State')}</dt><dd>${stateOf(one)} ${one.final_mark ?? ''}</dd>
    ${one.repo_url ? html`<dt>${say('Repository')}</dt><dd class="code">${one.repo_url}</dd>` : ''}
    ${one.locked_at ? html`<dt>${say('Locked')}</dt><dd>${timeOf(context, new Date(one.locked_at))}</dd>` : ''}
    ${one.closed_at ? html`<dt>${say('Handed in')}</dt><dd>${timeOf(context, new Date(one.closed_at))}</dd>` : ''}
  </dl>`

const invitation = (context: PersonPageContext, id: number, own: Membership): Html => html`
  <section class="card"><h2>${say('You are invited')}</h2>
    <div class="actions">${buttonForm(context, `/teams/${id}`, say('Join the team'), { fields: { wish: 'accept', membership: own.id } })}
    ${buttonForm(context, `/teams/${id}`, say('Decline'), { kind: 'second', fields: { wish: 'remove', membership: own.id } })}</div></section>`

const membersList = (
  context: PersonPageContext,
  one: Team,
  members: readonly Membership[],
  own: Membership | undefined,
): Html =>
  list(members, say('Nobody is in it.'), ({ id, user, user_id, leader, validated }) => {
    const isOwn = user_id === context.person.id
    const mayRemove = own?.validated === true && one.closed_at === null && (isOwn || (own.leader && !one.locked_at))
    return {
      title: html`<span class="row"><a class="face" href="${pathOfPerson(user.login)}">${avatar(user)}${user.displayname}</a>
      <span>${leader ? badge('note', say('leader')) : ''} ${validated ? '' : badge('waiting', say('invited'))}</span>
      ${
        mayRemove && members.length > 1
          ? buttonForm(context, `/teams/${one.id}`, isOwn ? say('Leave the team') : say('Remove'), {
              kind: 'second',
              fields: { wish: 'remove', membership: id },
              label: isOwn ? say('Leave the team') : say('Remove {name}', { name: user.login }),
            })
          : ''
      }</span>`,
    }
  })

/** The API decides who may take a step, and says why not. */
function nextSteps(
  context: PersonPageContext,
  state: FormState,
  one: Team,
  members: readonly Membership[],
  own: Membership,
): Html {
  const path = `/teams/${one.id}`
  if (one.status === 'finished')
    return html`<p>${say('The team is finished. The page of the project says whether another try is open.')}</p>`
  if (one.closed_at)
    return html`<p>${say('The work is handed in. Book its evaluations at times that others offer.')}</p>
      <p><a class="button" href="/evaluations/teams/${one.id}">${say('Book an evaluation')}</a></p>`
  const dissolve =
    own.leader && members.length === 1
      ? buttonForm(context, path, say('Dissolve the team'), { kind: 'second', fields: { wish: 'dissolve' } })
      : ''
  if (one.locked_at)
    return html`<p>${say('The members are settled. Hand the work in when it is complete: it is evaluated as it is in the repository then.')}</p>
      <div class="actions">${buttonForm(context, path, say('Hand in for evaluation'), { fields: { wish: 'close' } })} ${dissolve}</div>`
  if (!own.leader)
    return html`<p>${say('The leader of the team invites others, and locks the team when all are there.')}</p>`
  return html`
  <form method="post" action="${path}">${csrfField(context)}
    ${textField(state, { name: 'login', label: labels().login, hint: say('Of whom you invite. They join by accepting.'), required: true })}
    <button name="wish" value="invite" class="second">${say('Invite')}</button></form>
  <p>${say('Lock the team when all are there: nobody joins it afterwards.')}</p>
  <div class="actions">${buttonForm(context, path, say('Lock the team'), { fields: { wish: 'lock' } })} ${dissolve}</div>`
}

const evaluationsOf = (context: PersonPageContext, one: Team, own: Membership | undefined): Html =>
  list(one.scale_teams, say('None is booked yet.'), ({ id, begin_at, filled_at, final_mark }) => ({
    title: html`<span class="row"><span>${
      own
        ? html`<a href="/evaluations/${id}">${say('Evaluation {id}', { id: String(id) })}</a>`
        : say('Evaluation {id}', { id: String(id) })
    } ${filled_at ? badge('good', say('done')) : badge('waiting', say('to come'))}</span><strong>${final_mark ?? ''}</strong></span>`,
    ...(begin_at ? { more: html`${timeOf(context, new Date(begin_at))}` } : {}),
  }))

async function act(context: PersonPageContext, form: Form): Promise<Outcome> {
  const id = recordId(context)
  const path = `/teams/${id}`
  const back = (notice: string) => redirectTo(path, { notice })
  const membership = { path: { id: form.text('membership') } }
  const now = context.dependencies.clock.now().toISOString()
  const change = (team: Change<'/v2/teams/{id}'>['team']) =>
    send(context, 'PATCH', '/v2/teams/{id}', { path: { id }, body: { team } })
  switch (form.text('wish')) {
    case 'invite': {
      const user_id = await idOf(context, form.text('login').trim())
      const body = { teams_user: { team_id: id, user_id } }
      await send(context, 'POST', '/v2/teams_users', { body })
      return back(say('{login} is invited.', { login: form.text('login').trim() }))
    }
    case 'accept':
      await send(context, 'PATCH', '/v2/teams_users/{id}', {
        ...membership,
        body: { teams_user: { validated: true } },
      })
      return back(say('You are in the team.'))
    case 'remove':
      await send(context, 'DELETE', '/v2/teams_users/{id}', membership)
      return back(say('The team has one member or invitation less.'))
    case 'lock':
      await change({ locked_at: now })
      return back(say('The team is locked.'))
    case 'close':
      if (!isConfirmed(form))
        return confirmation(context, {
          title: say('Hand in for evaluation?'),
          text: say('What is in the repository now is evaluated. The team cannot take this back.'),
          fields: { wish: 'close' },
          button: say('Hand in'),
        })
      await change({ closed_at: now })
      return back(say('The work is handed in. Now book its evaluations.'))
    case 'dissolve': {
      if (!isConfirmed(form))
        return confirmation(context, {
          title: say('Dissolve the team?'),
          text: say('The team is gone, and you are where you were before it.'),
          fields: { wish: 'dissolve' },
          button: say('Dissolve the team'),
          isDanger: true,
        })
      const { value } = await ask(context, '/v2/teams/{id}', { path: { id } })
      await send(context, 'DELETE', '/v2/teams/{id}', { path: { id } })
      return redirectTo(`/projects/${value.project_id}`, { notice: say('The team is dissolved.') })
    }
    default:
      return redirectTo(path)
  }
}

async function idOf(context: PersonPageContext, login: string): Promise<number> {
  const query = { 'filter[login]': [login], per_page: 1 }
  const [found] = login === '' ? [] : (await ask(context, '/v2/users', { query })).value
  if (!found) throw unprocessable({ login: ['is the login of nobody'] })
  return found.id
}

export const teamLink = ({ id, name }: Pick<Team, 'id' | 'name'>): Html =>
  html`${sayWith('Your team: {team}', { team: html`<a href="/teams/${id}">${name}</a>` })}`
