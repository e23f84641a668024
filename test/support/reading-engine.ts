import { systemClock } from '../../src/base/clock.ts'
import type { Database } from '../../src/database/database.ts'
import { COMMON_ACCESS } from '../../src/resources/access.ts'
import { storageOfResources } from '../../src/resources/declared.ts'
import { createEngine, type Engine } from '../../src/rest/engine.ts'

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
