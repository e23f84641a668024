import { ownApplication } from '../../oauth/applications/own.ts'
import { empty } from '../components.ts'
import { html, say } from '../html.ts'
import { page, pageContent, recordId } from '../page.ts'
import { consentQuestion, optionalScopes } from './consent-question.ts'

/** Shows the owner the question that users are asked. Owners themselves are not asked. */
export const consentPreview = page({
  path: '/applications/:id/consent',
  access: 'signed-in',
  async show(context) {
    const { database } = context.dependencies
    const { person } = context
    const found = await ownApplication(database, person.id, recordId(context))
    const [redirectUri] = found.redirect_uris
    return pageContent(
      say('As your users will see it'),
      html`
      <p class="quiet">${say('An application that asks for all its scopes asks this, of each user once. The first redirect address is the one shown.')}</p>
      <section class="card">${
        redirectUri === undefined
          ? empty(say('It has no redirect address, so that it asks nobody.'), {
              path: `/applications/${found.id}/edit`,
              label: say('Change'),
            })
          : consentQuestion(context, {
              client: { ...found, owner: person },
              scopes: found.scopes,
              redirectUri,
              learnsRefusal: true,
              decisions: html`${optionalScopes(found.scopes)}<div class="actions"><button disabled>${say('Allow')}</button> <button class="second" disabled>${say('Do not allow')}</button></div>`,
            })
      }</section>`,
      { isNarrow: true, trail: [{ path: `/applications/${found.id}`, label: found.name }] },
    )
  },
})
