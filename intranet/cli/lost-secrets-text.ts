import { printable } from '@campus/engine/base/text/printable'
import type { LostSecrets } from '../server/lost-secrets.ts'

/** Lists what must be set again after secrets were deleted, a line each. */
export function describeLost({ webservices, webhooks, apps, drafts }: LostSecrets): readonly string[] {
  const list = (lines: readonly string[]) => lines.map((line) => `  ${printable(line)}`)
  return [
    ...(webservices.length > 0
      ? [
          'Secrets of webservices are lost. Set them at /staff/endpoints, and switch the webservices on:',
          ...list(webservices.map(({ url }) => url)),
        ]
      : []),
    ...(webhooks.length > 0
      ? [
          'Secrets of webhooks of applications are lost. Their owners must set new ones, and switch the webhooks on:',
          ...list(webhooks.map(({ application, url }) => `${application}: ${url}`)),
        ]
      : []),
    ...(apps.length > 0
      ? [
          'Authenticator apps are removed. Until these people set one up again, a password or passkey alone signs them in:',
          ...list(apps),
        ]
      : []),
    ...(drafts > 0 ? [`${drafts} drafts of imports are deleted. Upload their tables again.`] : []),
    'Signing keys of OpenID Connect are deleted. The next start makes new ones, which applications fetch by themselves.',
  ]
}

/** Consequences of a changed key, besides those for sealed texts. */
export const KEY_CHANGED =
  'The secret key has changed: links to calendars and files that were given out no longer work, and applications with ' +
  'pairwise subjects see new ones.'
