import { createSecureContext } from 'node:tls'
import { toError } from '@campus/engine/base/caught'
import type { buildConnector } from 'undici'
import { type AllowList, checkLiteral, guardedLookup } from './connect-guard.ts'

/** Certificates of an authority of one's own, and one to show, as PEM texts. */
export type OutgoingTls = { readonly ca?: string[]; readonly cert?: string; readonly key?: string }

export type GuardOptions = {
  readonly allowed: AllowList
  readonly tls?: OutgoingTls | undefined
  readonly connectMs: number
  /** The resolver; tests give their own. */
  readonly resolve?: Parameters<typeof guardedLookup>[1] | undefined
}

/** Connects to public and allowed addresses only, and verifies certificates. Loads undici. */
export async function guardedConnector(options: GuardOptions): Promise<buildConnector.connector> {
  const { allowed, tls, connectMs, resolve } = options
  const { buildConnector } = await import('undici')
  const secured = buildConnector({
    // Created once, since parsing all certificate authorities for each connection blocks the event loop for 5 ms or more.
    secureContext: createSecureContext({ ...tls, minVersion: 'TLSv1.2' }),
    timeout: connectMs,
    allowH2: false,
    lookup: guardedLookup(allowed, resolve),
  })
  return (target, done) => {
    try {
      checkLiteral(allowed, target.hostname)
    } catch (error) {
      return done(toError(error), null)
    }
    secured(target, done)
  }
}
