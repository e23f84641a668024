import type { Rows } from '@campus/engine/database/bulk-connection'
import { fileReferences, keyOf } from '@campus/intranet/services/attachments/stored-files'

export type ArchivedFile = {
  readonly key: string
  readonly digest: string
  readonly bytes: number
  readonly contentType: string
}

/** The table whose rows are files. */
export const FILES_TABLE = 'stored_files'
const PAGE = 1000

/**
 * Selects the rows of `stored_files` that are archived: those that a record needs. Files are deleted
 * `UNUSED_RETENTION_HOURS` after the last record that needs them, so none disappears while an archive is made.
 */
export async function neededFiles(rows: Rows): Promise<string> {
  const found = await fileReferences({ rows })
  const references = found.map(([table, column]) => `id in (select ${column} from ${table})`)
  return `stored_at is not null and doomed_at is null and (${references.join(' or ') || 'false'})`
}

/** Lists the archived files in the order of their ids. */
export async function* listFiles(rows: Rows): AsyncGenerator<ArchivedFile> {
  const isNeeded = await neededFiles(rows)
  for (let last = 0; ; ) {
    const page = await rows(
      `select id, digest, bytes, content_type from ${FILES_TABLE} where id > $1 and ${isNeeded} order by id limit ${PAGE}`,
      [last],
    )
    for (const [id, digest = '', bytes, contentType = ''] of page.map((row) => row.map(String))) {
      yield { key: keyOf({ id: Number(id), digest }), digest, bytes: Number(bytes), contentType }
    }
    if (page.length < PAGE) return
    last = Number(page.at(-1)?.[0])
  }
}
