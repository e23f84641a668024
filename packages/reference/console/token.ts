import { unprocessable } from '@campus/engine/errors'
import { issueTokenToOwner } from '@campus/intranet/oauth/owner-tokens'
import { TOKEN_LIFETIME_SECONDS } from '@campus/intranet/oauth/tokens'
import { actorOf } from '@campus/intranet/pages/actor'
import { type Form, idIn, type Part, type PersonPageContext, part } from '@campus/intranet/pages/page'

/** /apidoc/console/token: a token of an application of the user. */
export async function issueForConsole(context: PersonPageContext, form: Form): Promise<Part> {
  const { database, clock, tokenLimits } = context.dependencies
  const applicationId = idIn(form, 'application')
  const { person, session } = context
  if (applicationId === 0) throw unprocessable({ application: ['must be one of yours'] })
  await tokenLimits.spendOwnerOnPage({ id: applicationId, ownerId: person.id })
  const issued = await database.transaction((tx) =>
    issueTokenToOwner(tx, clock, {
      applicationId,
      userId: person.id,
      sessionId: session.id,
      actsForOwner: form.text('as') === 'person',
      actor: actorOf(context),
    }),
  )
  const answer = { access_token: issued.token, expires_in: TOKEN_LIFETIME_SECONDS, scope: issued.scopes.join(' ') }
  return part('application/json', JSON.stringify(answer))
}
