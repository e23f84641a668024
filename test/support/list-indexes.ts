import { Sealer } from '../../src/base/sealer.ts'
import { indexName, PREFIX } from '../../src/database/apply-indexes.ts'
import type { Database } from '../../src/database/database.ts'
import { resources } from '../../src/resources/index.ts'
import { Registry } from '../../src/rest/declare/registry.ts'
import { begins, type ListIndex, listIndexes, searchIndexes } from '../../src/rest/read/list-indexes.ts'

export const LIST_INDEXES_FILE = new URL('../../src/database/list-indexes.ts', import.meta.url)

/** An index that a database has. */
export type FoundIndex = ListIndex & {
  readonly name: string
  /** Made by the declarations rather than by a migration. */
  readonly isListed: boolean
  /** Of each row another one, so that whatever follows its columns is in order too. */
  readonly isUnique: boolean
  /** Of some rows only. */
  readonly isPartial: boolean
  /** It says what may be written, beside finding rows. */
  readonly isConstraint: boolean
}

const registry = new Registry(resources(new Sealer(Buffer.alloc(32))))

/** What the declarations ask for. */
export const declaredIndexes = listIndexes(registry)

/** Every index of the tables that resources are in or joined by. */
export async function findIndexes(database: Pick<Database, 'rows'>): Promise<readonly FoundIndex[]> {
  const rows = await database.rows(
    `select c.relname, t.relname, i.indpred is not null,
       i.indisunique and not exists (select from pg_attribute a where a.attrelid = t.oid and a.attnum = any (i.indkey) and not a.attnotnull),
       i.indisunique,
       json_agg(pg_get_indexdef(i.indexrelid, n, false) || case when i.indoption[n - 1] & 1 = 1 then ' desc' else '' end order by n)
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
       join pg_am on pg_am.oid = c.relam and amname = 'btree', generate_series(1, i.indnkeyatts) n
     where t.relnamespace = 'public'::regnamespace group by 1, 2, 3, 4, 5, i.indexrelid order by 2, 1`,
  )
  return rows.map(([name = '', table = '', isPartial, isUnique, isConstraint, columns]) => ({
    name: name as string,
    table: table as string,
    columns: forward(JSON.parse(columns as string)),
    isListed: name?.startsWith(PREFIX) === true,
    isUnique: isUnique === 't',
    isPartial: isPartial === 't',
    isConstraint: isConstraint === 't',
  }))
}

/** An index is read from either end: the one in which its first column ascends stands for both. Names are without their quotes. */
function forward(columns: readonly string[]): readonly string[] {
  const isTurned = columns[0]?.endsWith(' desc')
  return columns.map((column) => {
    const name = column.replaceAll('"', '').replace(/ desc$/, '')
    return column.endsWith(' desc') === isTurned ? name : `${name} desc`
  })
}

/** Whether the index does what is needed. */
export const serves = (found: FoundIndex, needed: ListIndex): boolean =>
  !found.isPartial && (begins(found, needed) || (found.isUnique && begins(needed, found)))

/** What the declarations ask for beyond what these do, as the file of them holds it. */
export const missingIndexes = (found: readonly FoundIndex[]): readonly ListIndex[] =>
  declaredIndexes.filter((needed) => !found.some((index) => serves(index, needed)))

/** The file that `npm run indexes` writes, for a database as migrations made it. */
export async function listIndexesText(database: Pick<Database, 'rows'>): Promise<string> {
  const found = (await findIndexes(database)).filter(({ isListed }) => !isListed)
  const lines = missingIndexes(found).map((index) => {
    const name = indexName([index.table, index.columns.map(quoted)])
    if (name.length > MAX_NAME) throw new Error(`${name} is too long a name`)
    return lineOf(index)
  })
  return `/** The indexes that lists need beside those that migrations made. Written by \`npm run indexes\` from the declarations. */
export const LIST_INDEXES: readonly (readonly [table: string, columns: readonly string[]])[] = [
${lines.sort().join('\n')}
]

/** The columns of texts that are searched, by table. Written likewise. */
export const SEARCH_INDEXES: readonly (readonly [table: string, columns: readonly string[]])[] = [
${searchIndexes(registry).map(lineOf).sort().join('\n')}
]
`
}

const MAX_NAME = 63

const lineOf = ({ table, columns }: ListIndex) =>
  `  ['${table}', [${columns.map((column) => `'${quoted(column)}'`).join(', ')}]],`

/** Some columns have names that SQL has a use for. */
const quoted = (column: string) => column.replace(/^(?!\w+\()\w+|(?<=^\w+\()\w+/, '"$&"')
