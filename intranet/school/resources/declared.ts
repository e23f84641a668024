import { once } from '@campus/engine/base/once'
import type { DeclaredStorage } from '@campus/engine/database/declared-storage'
import { Registry } from '@campus/engine/rest/declare/registry'
import type { TagGroup } from '@campus/engine/rest/openapi/document'
import { resourceStorage } from '@campus/engine/rest/read/list-indexes'
import { Sealer } from '../../services/sealing/sealer.ts'
import { CALLS_READER } from '../../webhooks/calls.ts'
import { createSealing } from '../../webhooks/sealing.ts'
import { SCHOOL_FUNCTIONS } from '../functions/index.ts'
import { COMMON_ACCESS } from './access.ts'
import { resourcesOf, subjects } from './index.ts'
import { LOCK_ORDER } from './lock-order.ts'
import { SCHOOL_MIGRATIONS } from './migrations.ts'
import { SCHOOL_RECORDING } from './recording.ts'

const declaredSubjects = once(() => {
  const unusedKey = Buffer.alloc(32)
  return subjects(new Sealer(unusedKey), createSealing(unusedKey))
})

/** Resources without the keys that seal secrets, for code that answers no requests. */
export const declaredRegistry = once(() => new Registry(resourcesOf(declaredSubjects()), COMMON_ACCESS))

/** Database objects of the resources besides their tables. */
export const storageOfResources = once((): DeclaredStorage => {
  const registry = declaredRegistry()
  return {
    ...resourceStorage(registry),
    ...SCHOOL_FUNCTIONS,
    migrations: SCHOOL_MIGRATIONS,
    lockOrder: LOCK_ORDER,
    feedReaders: { calls: CALLS_READER, subscriptions: 'webhooks' },
    recording: { ...SCHOOL_RECORDING, rowsRecorded: registry.rowsRecorded },
  }
})

/** Groups of the reference and the OpenAPI document. */
export const tagGroups = (): readonly TagGroup[] =>
  Object.entries(declaredSubjects()).map(([name, entries]) => ({
    name,
    tags: entries.map((entry) => (typeof entry === 'string' ? entry : entry.name)),
  }))
