import { isDocumentAddress, isSelfRegistered } from '../../oauth/unregistered-clients.ts'
import { type Html, html, say, sayWith } from '../html.ts'

/** Returns a note that the school has not checked a client, or undefined if the school registered the client. */
export function unregisteredNote(uid: string): Html | string | undefined {
  if (isDocumentAddress(uid))
    return sayWith('Published by {host}, and not checked by the school', {
      host: html`<strong class="code">${new URL(uid).host}</strong>`,
    })
  return isSelfRegistered(uid) ? say('Registered itself under this name, and not checked by the school') : undefined
}
