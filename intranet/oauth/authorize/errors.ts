import { hasConsented } from '../consents.ts'
import { isUnregistered } from '../unregistered-clients.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { isLoopback } from './redirect-uri.ts'

/**
 * Reports whether an error may be sent to the redirect URI without asking the user (RFC 9700 §4.11.2). Anybody can have an
 * unregistered client, and could otherwise redirect people from the host of the service to any page. Such a client gets errors
 * if the user has allowed it before, or at an address of the user's own machine.
 */
export async function mayRedirectError({
  handle,
  userId,
  client,
  redirectUri,
}: Pick<AuthorizationRequest, 'handle' | 'userId' | 'client' | 'redirectUri'>): Promise<boolean> {
  if (!isUnregistered(client.uid) || isLoopback(redirectUri)) return true
  return userId !== undefined && (await hasConsented(handle, userId, client.id, []))
}
