import type { Registry } from '@campus/engine/rest/declare/registry'
import type { Route } from '@campus/engine/rest/route-table'
import type { Guides } from '@campus/intranet/server/part'
import { actingTools } from './acting-tools.ts'
import { Places } from './places.ts'
import { readingTools } from './reading-tools.ts'
import { referenceTools } from './reference-tools.ts'
import type { Tool } from './tool.ts'
import { whoAmI } from './who-am-i.ts'

/** Makes a few tools of the declarations that reach every route. */
export function assistantTools(
  registry: Registry,
  table: readonly Route[],
  guides: (() => Promise<Guides>) | undefined,
): readonly Tool[] {
  const places = new Places(registry, table)
  return [...referenceTools(registry, places, guides), ...readingTools(places), whoAmI(table), ...actingTools(places)]
}
