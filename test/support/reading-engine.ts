import { systemClock } from '@campus/engine/base/clock'
import type { Database } from '@campus/engine/database/database'
import { createEngine, type Engine } from '@campus/engine/rest/engine'
import { COMMON_ACCESS } from '@campus/intranet/school/resources/access'
import { storageOfResources } from '@campus/intranet/school/resources/declared'

type Resources = Parameters<typeof createEngine>[0]['resources']

/** An engine of a test's own resources, which it only reads. */
export const readingEngine = (database: Database, resources: Resources): Promise<Engine> =>
  createEngine({
    database,
    clock: systemClock,
    wire: {
      baseUrl: '',
      picturesUrl: '',
      timeZone: 'UTC',
      now: () => new Date(),
      signed: (path) => path,
      signedUntil: () => Infinity,
    },
    startHash: () => {
      throw new Error('nothing is written here')
    },
    resources,
    access: COMMON_ACCESS,
    storage: storageOfResources(),
  })
