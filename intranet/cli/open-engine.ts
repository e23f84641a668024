import type { Caller } from '@campus/engine/http/caller'
import { createEngine, type Engine, type PayloadFiles } from '@campus/engine/rest/engine'
import { ROLES } from '../access/roles.ts'
import { SCOPES } from '../access/scopes.ts'
import { COMMON_ACCESS } from '../school/resources/access.ts'
import { storageOfResources } from '../school/resources/declared.ts'
import { resources } from '../school/resources/index.ts'
import type { Dependencies } from '../server/database-command.ts'
import { claimSecretKey } from '../services/sealing/check-key.ts'
import { Sealer } from '../services/sealing/sealer.ts'

/** Opens the engine of the API for a command. */
export async function openEngine({ database, config, sealing }: Dependencies): Promise<Engine> {
  const sealer = new Sealer(await claimSecretKey(database, config))
  const { baseUrl, picturesUrl, timeZone } = config
  const clock = { now: () => new Date() }
  return createEngine({
    database,
    clock,
    wire: {
      baseUrl,
      picturesUrl,
      timeZone,
      now: clock.now,
      signed: (path, base = baseUrl) => `${base}${path}`,
      signedUntil: () => Infinity,
    },
    startHash: () => sealer.keyedHash('idempotency'),
    files: NO_FILES,
    resources: resources(sealer, await sealing()),
    access: COMMON_ACCESS,
    storage: storageOfResources(),
  })
}

/** The command line has every right. */
export const operator = (command: string): Caller => ({
  application: { id: 0, uid: '', name: 'campus', roles: ROLES, ratePerSecond: 0, ratePerHour: 0 },
  scopes: Object.keys(SCOPES),
  resourceOwnerId: null,
  command,
})

/** Only requests contain files. */
const NO_FILES: PayloadFiles = {
  limits: { maxBytes: {}, maxBodyBytes: 0 },
  store: () => Promise.reject(new Error('a command takes no files')),
  removeStaged: () => Promise.resolve(),
}
