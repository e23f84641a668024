import { isDocumentAddress, isSelfRegistered } from '../../oauth/unregistered-clients.ts'
import { type Html, html } from '../html.ts'
import { say, sayWith } from '../say.ts'

/** Tells that the school has not checked an application, and who published it; undefined if the school registered it. */
export function unregisteredNote(uid: string): Html | string | undefined {
  if (isDocumentAddress(uid))
    return sayWith('Published by {host}, and not checked by the school', {
      host: html`<strong class="code">${new URL(uid).host}</strong>`,
    })
  return isSelfRegistered(uid) ? say('Registered itself under this name, and not checked by the school') : undefined
}
