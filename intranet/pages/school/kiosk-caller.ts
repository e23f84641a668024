import { hash } from 'node:crypto'
import type { StreamHolder } from '@campus/engine/changes/streams/streams'
import type { Caller } from '@campus/engine/http/caller'
import { findKiosk, type Kiosk } from '../../school/domain/school/kiosks.ts'
import type { PageContext } from '../page-context.ts'

/** A screen has the rights of an application without scopes, roles and user. */
export const kioskCaller: Caller = {
  application: { id: 0, uid: '', name: 'kiosk', roles: [], ratePerSecond: 0, ratePerHour: 0 },
  scopes: [],
  resourceOwnerId: null,
}

/** Returns undefined if the browser is no screen, or its token was revoked. */
export const kioskOf = async ({ kioskToken, dependencies }: PageContext): Promise<Kiosk | undefined> =>
  kioskToken === undefined ? undefined : findKiosk(dependencies.database, kioskToken)

/** Lasts as long as the token of the screen. */
export function kioskHolder(context: PageContext): StreamHolder {
  const key = `kiosk ${hash('sha256', context.kioskToken ?? '')}`
  return {
    key,
    application: undefined,
    person: key,
    current: async () => ((await kioskOf(context)) ? kioskCaller : undefined),
  }
}
