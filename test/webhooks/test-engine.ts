import type { Clock } from '../../src/base/clock.ts'
import type { Database } from '../../src/database/database.ts'
import { COMMON_ACCESS } from '../../src/resources/access.ts'
import { storageOfResources } from '../../src/resources/declared.ts'
import { resources } from '../../src/resources/index.ts'
import { createEngine } from '../../src/rest/engine.ts'
import type { Sealer } from '../../src/services/sealing/sealer.ts'

/** What reads the records of deliveries, without a server. */
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
