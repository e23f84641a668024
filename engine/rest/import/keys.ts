import { defined } from '../../base/defined.ts'
import type { Handle } from '../../database/database.ts'
import type { Resource } from '../declare/declaration.ts'
import { quote } from '../declare/identifiers.ts'

export type KnownKey = { readonly id: number; readonly run: string; readonly line: number }

export async function findKeys(
  tx: Handle,
  { name, table }: Resource,
  keys: readonly string[],
): Promise<ReadonlyMap<string, KnownKey>> {
  if (keys.length === 0) return new Map()
  const rows = await tx.rows(
    `select k.key, k.record_id, k.run, k.line from import_keys k join ${quote(table)} t on t.id = k.record_id
     where k.resource = $1 and k.key = any($2::text[])`,
    [name, keys],
  )
  return new Map(
    rows.map(([key, id, run, line]) => [defined(key), { id: Number(id), run: String(run), line: Number(line) }]),
  )
}

type NewKey = { readonly key: string; readonly id: number; readonly line: number }

export async function rememberKeys(tx: Handle, { name }: Resource, run: string, keys: readonly NewKey[]) {
  if (keys.length === 0) return
  await tx.rows(
    `insert into import_keys (resource, key, record_id, run, line)
     select $1, key, id, $2, line from json_to_recordset($3::json) known (key text, id integer, line integer)
     on conflict (resource, key) do update set record_id = excluded.record_id, run = excluded.run, line = excluded.line`,
    [name, run, JSON.stringify(keys)],
  )
}
