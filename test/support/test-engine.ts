import type { Clock } from '@campus/engine/base/clock'
import type { Database } from '@campus/engine/database/database'
import { createEngine } from '@campus/engine/rest/engine'
import { COMMON_ACCESS } from '@campus/intranet/school/resources/access'
import { storageOfResources } from '@campus/intranet/school/resources/declared'
import { resources } from '@campus/intranet/school/resources/index'
import type { Sealer } from '@campus/intranet/services/sealing/sealer'

/** Returns an engine without a server that reads the records of deliveries. */
export const testEngine = (database: Database, clock: Clock, sealer: Sealer, baseUrl = 'https://campus.test') =>
  createEngine({
    database,
    clock,
    wire: {
      ...{ baseUrl, picturesUrl: baseUrl, timeZone: 'UTC', now: clock.now },
      ...{ signed: (path: string) => baseUrl + path, signedUntil: () => Infinity },
    },
    startHash: () => sealer.keyedHash('idempotency'),
    files: { limits: { maxBytes: {}, maxBodyBytes: 0 }, store: () => Promise.reject(), removeStaged: async () => {} },
    resources: resources(sealer),
    access: COMMON_ACCESS,
    storage: storageOfResources(),
  })
