import { Sealer } from '../base/sealer.ts'
import type { DeclaredStorage } from '../database/declared-storage.ts'
import { Registry } from '../rest/declare/registry.ts'
import { declaredStorage } from '../rest/read/list-indexes.ts'
import { createSealing } from '../webhooks/sealing.ts'
import { resources } from './index.ts'

/** The resources as they are declared, for what answers no requests: the keys that seal secrets are missing. */
export function declaredRegistry(): Registry {
  const unusedKey = Buffer.alloc(32)
  return new Registry(resources(new Sealer(unusedKey), createSealing(unusedKey)))
}

/** What they ask of the database: for `migrate`. */
export const storageOfResources = (): DeclaredStorage => declaredStorage(declaredRegistry())
