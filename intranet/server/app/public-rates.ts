import { UNLIMITED_HEALTH } from '@campus/engine/http/health'
import type { PublicRate, PublicRates } from '@campus/engine/http/public-rates'

// A school of 500 phones behind one address stays below each limit.

/** A phone reads a calendar every quarter of an hour. A class may share the link of a campus. */
const CALENDARS: PublicRate = { name: 'calendars', perAddress: 3_000, perLink: 600, isShared: true }
/** A page of people shows 30 pictures, which browsers cache. */
const FILES: PublicRate = { name: 'files', perAddress: 60_000 }
/** Pages, documents and endpoints of protocols. */
const PAGES: PublicRate = { name: 'pages', perAddress: 18_000 }

/** Rates of routes that need no token. Unlisted routes below `/v2` need one. */
export const PUBLIC_RATES: PublicRates = {
  byPath: [
    [/\/agenda\.ics$/, CALENDARS],
    [/^\/(files|uploads|images|assets)\//, FILES],
    [/^\/v2(\/openapi\.json|\/oauth\/.*)?$/, PAGES],
    [/^(?!\/v2\/)/, PAGES],
  ],
  unknown: PAGES,
  unlimited: {
    ...UNLIMITED_HEALTH,
    '/metrics': 'It needs CAMPUS_METRICS_TOKEN, or a program on the same machine.',
    '/oauth/token': 'CAMPUS_TOKENS_PER_SECOND limits it by application and address.',
  },
}
