import { namedScopes } from '../../access/scopes.ts'
import { ownApplication } from '../../oauth/applications/own.ts'
import {
  endAllAuthorizations,
  endAuthorization,
  liveAuthorizations,
  liveClientTokens,
} from '../../oauth/live-authorizations.ts'
import { inTransaction } from '../actor.ts'
import { empty, table } from '../components.ts'
import { confirmation, isConfirmed } from '../confirm.ts'
import { buttonForm } from '../fields.ts'
import { html, say } from '../html.ts'
import { formAction, page, pageContent, recordId, redirectTo } from '../page.ts'
import { pageLinks, partOf, shownOf } from '../paging.ts'
import { timeOf } from '../times.ts'

const PATH = '/applications/:id/sessions'

const list = page({
  path: PATH,
  access: 'signed-in',
  async show(context) {
    const { database, clock } = context.dependencies
    const { id, name } = await ownApplication(database, context.person.id, recordId(context))
    const whose = { applicationId: id, now: clock.now() }
    const part = partOf(context)
    const sessions = await liveAuthorizations(database, whose, part)
    const tokens = await liveClientTokens(database, whose)
    const isIdle = sessions.length === 0 && tokens === 0
    return pageContent(
      say('Sessions of {name}', { name }),
      html`
      <p>${say(
        'People who let the application act for them and whose tokens still work or can be renewed. Ending one takes effect at once, as when the application revokes a token itself.',
      )}</p>
      <p>${say('{tokens, plural, =0 {It has no tokens for itself.} one {It has # token for itself.} other {It has # tokens for itself.}}', { tokens })}</p>
      ${
        sessions.length === 0
          ? empty(say('Nobody has a token that works now.'))
          : table(
              say('Sessions'),
              [say('Person'), say('Scopes'), say('Since'), say('Last token'), say('Ends'), say('End it')],
              shownOf(sessions).map((one) => [
                one.login ?? say('Pairwise subject'),
                namedScopes(one.scopes).join(', '),
                timeOf(context, one.created_at),
                one.last_token_at ? timeOf(context, one.last_token_at) : say('none yet'),
                timeOf(context, one.ends_at),
                buttonForm(context, `/applications/${id}/sessions/end`, say('End'), {
                  kind: 'danger',
                  fields: { session: one.id },
                  label: say('End the session of {login} since {since}', {
                    login: one.login ?? say('Pairwise subject'),
                    since: one.created_at.toISOString(),
                  }),
                }),
              ]),
            )
      }
      ${pageLinks(context, part, sessions.length)}
      ${
        isIdle
          ? ''
          : html`<div class="actions">${buttonForm(context, `/applications/${id}/sessions/end-all`, say('End every session and token'), { kind: 'danger' })}</div>`
      }`,
      { trail: [{ path: `/applications/${id}`, label: name }] },
    )
  },
})

const ending = formAction({
  path: `${PATH}/end`,
  access: 'signed-in',
  async submit(context, form) {
    const applicationId = recordId(context)
    const session = recordId({ params: { id: form.text('session') } })
    await inTransaction(context, async (tx, by) => {
      await ownApplication(tx, context.person.id, applicationId)
      await endAuthorization(tx, { id: session, applicationId, ...by })
    })
    return redirectTo(`/applications/${applicationId}/sessions`, { notice: say('The session has ended.') })
  },
})

const endingAll = formAction({
  path: `${PATH}/end-all`,
  access: 'signed-in',
  async submit(context, form) {
    const applicationId = recordId(context)
    const back = `/applications/${applicationId}/sessions`
    if (!isConfirmed(form)) {
      const { name } = await ownApplication(context.dependencies.database, context.person.id, applicationId)
      return confirmation(context, {
        title: say('End every session and token?'),
        text: say(
          'All tokens of {name} stop working at once, for everybody who uses it. They have to let it act for them again. This cannot be undone.',
          { name },
        ),
        back,
        button: say('End every session and token'),
        isDanger: true,
      })
    }
    await inTransaction(context, async (tx, by) => {
      await ownApplication(tx, context.person.id, applicationId)
      await endAllAuthorizations(tx, { applicationId, ...by })
    })
    return redirectTo(back, { notice: say('Every session and token has ended.') })
  },
})

export const SESSION_PAGES = [...list, ...ending, ...endingAll]
