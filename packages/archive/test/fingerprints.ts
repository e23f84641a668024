import type { Database } from '@campus/engine/database/database'
import { FILES_TABLE, neededFiles } from '../archived-files.ts'
import { findTables } from '../contents.ts'

/**
 * Returns the number of rows of each archived table, and a hash of them in an order that does not depend on the disk.
 */
export async function fingerprintsOf({ rows }: Database): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const { name } of await findTables(rows)) {
    const condition = name === FILES_TABLE ? `where ${await neededFiles(rows)}` : ''
    // By parts, since the hashes of millions of rows are more than one text may have.
    const [row] = await rows(`
      with hashes as (select md5(t::text) as hash from "${name}" t ${condition}),
      parts as (select left(hash, 2) as part, count(*) as size, md5(string_agg(hash, '' order by hash collate "C")) as hash from hashes group by 1)
      select sum(size), md5(string_agg(hash, '' order by part collate "C")) from parts`)
    found.set(name, `${row?.[0] ?? 0} rows ${row?.[1] ?? ''}`)
  }
  return found
}
