import { defined } from '../../base/defined.ts'
import { message } from '../../base/languages/say.ts'
import type { Handle } from '../../database/database.ts'
import { inSavepoint } from '../../database/savepoint.ts'
import { unprocessable } from '../../errors.ts'
import type { Resource } from '../declare/declaration.ts'
import { quote } from '../declare/identifiers.ts'
import type { Registry } from '../declare/registry.ts'
import { isStillReferenced } from './constraints.ts'

type Reference = {
  readonly table: string
  readonly column: string
  readonly parent: string
  readonly isDeletedToo: boolean
  readonly isReleased: boolean
}

/** Runs `work`, which deletes a record. Throws a 422 that counts the records that still refer to it. */
export async function deleteUnlessReferenced<T>(
  tx: Handle,
  registry: Registry,
  resource: Resource,
  id: number,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await inSavepoint(tx, work)
  } catch (error) {
    if (!isStillReferenced(error)) throw error
    const uses = await usesOf(tx, resource.table, id)
    if (uses.length === 0) throw error
    const named = uses.map(([table, count]) => `${count} ${nameOf(registry, table)}`)
    throw unprocessable({ base: [message('is still used by {what}', { what: listed(named) })] })
  }
}

const nameOf = (registry: Registry, table: string) =>
  registry.resources.find((resource) => resource.table === table)?.name ?? table

const listed = (names: readonly string[]) =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** Returns the tables whose rows refer to the record or to rows deleted with it, and their numbers. */
async function usesOf(tx: Handle, table: string, id: number): Promise<readonly (readonly [string, number])[]> {
  const conditions = new Map<string, readonly string[]>()
  gatherUses(await referencesIn(tx), table, String(id), new Set(), conditions)
  if (conditions.size === 0) return []
  // A row that refers to the record by two columns counts once.
  const counts = [...conditions].map(
    ([child, ways]) => `select '${child}', count(*) from ${quote(child)} where ${ways.join(' or ')}`,
  )
  const rows = await tx.rows(`${counts.join(' union all ')} order by 1`)
  return rows.map(([child, count]) => [defined(child), Number(count)] as const).filter(([, count]) => count > 0)
}

/** `ids` is trusted SQL: a number, or a sub-select of ids. */
function gatherUses(
  references: readonly Reference[],
  table: string,
  ids: string,
  seen: ReadonlySet<string>,
  conditions: Map<string, readonly string[]>,
): void {
  if (seen.has(table)) return
  const known = new Set([...seen, table])
  for (const { table: child, column, parent, isDeletedToo, isReleased } of references) {
    if (parent !== table || isReleased) continue
    const condition = `${quote(column)} in (${ids})`
    if (isDeletedToo) {
      gatherUses(references, child, `select id from ${quote(child)} where ${condition}`, known, conditions)
    } else conditions.set(child, [...(conditions.get(child) ?? []), condition])
  }
}

async function referencesIn(tx: Handle): Promise<readonly Reference[]> {
  const rows = await tx.rows(
    `select child.relname, a.attname, parent.relname, k.confdeltype from pg_constraint k
     join pg_class child on child.oid = k.conrelid join pg_class parent on parent.oid = k.confrelid
     join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
     where k.contype = 'f' and k.connamespace = 'public'::regnamespace`,
  )
  return rows.map(([table, column, parent, deletion]) => ({
    table: defined(table),
    column: defined(column),
    parent: defined(parent),
    isDeletedToo: deletion === 'c',
    isReleased: deletion === 'n',
  }))
}
