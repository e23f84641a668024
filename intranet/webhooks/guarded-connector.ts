import { createSecureContext } from 'node:tls'
import { toError } from '@campus/engine/base/caught'
import type { buildConnector } from 'undici'
import { type AllowList, checkLiteral, guardedLookup } from './connect-guard.ts'

/** PEM texts of an own authority and of a client certificate. */
export type OutgoingTls = { readonly ca?: string[]; readonly cert?: string; readonly key?: string }

export type GuardOptions = {
  readonly allowed: AllowList
  readonly tls?: OutgoingTls | undefined
  readonly connectMs: number
  /** The resolver, which tests replace. */
  readonly resolve?: Parameters<typeof guardedLookup>[1] | undefined
}

/** Connects only to public and allowed addresses, and verifies certificates. */
export async function guardedConnector(options: GuardOptions): Promise<buildConnector.connector> {
  const { allowed, tls, connectMs, resolve } = options
  const { buildConnector } = await import('undici')
  const secured = buildConnector({
    // Created once: parsing all certificate authorities blocks the event loop for 5 ms or more.
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
