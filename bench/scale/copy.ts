import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { ScaleLine } from './lines.ts'

const AIM = 3

/** Copies every table into one of the same columns, constraints and indexes, as `COPY` does it, beside the time that the seed took. */
export async function copyOver(databaseUrl: string, seededSeconds: number): Promise<ScaleLine> {
  const [source, target] = [await connect(databaseUrl), await connect(databaseUrl)]
  let copySeconds = 0
  try {
    for (const [table, columns] of (await source.query(TABLES)).rows) {
      copySeconds += await copyTable(source, target, table, columns)
    }
  } finally {
    await Promise.all([source.end(), target.end()])
  }
  const ratio = seededSeconds / copySeconds
  return {
    name: '`campus seed`',
    ours: `${seededSeconds.toFixed(0)} s`,
    reference: `${copySeconds.toFixed(0)} s, \`COPY\` of the same rows`,
    measured: `${ratio.toFixed(1)} ×`,
    aim: `≤ ${AIM} ×`,
    isReached: ratio <= AIM,
  }
}

/** Name of each table, with the columns that are not generated. */
const TABLES = {
  rowMode: 'array',
  text: `select format('%I', c.relname), string_agg(format('%I', attname), ', ')
    from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0 and attgenerated = '' and not attisdropped
    where relnamespace = 'public'::regnamespace and relkind = 'r' group by 1`,
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}

/** Gives the seconds that it took. */
async function copyTable(source: pg.Client, target: pg.Client, table: string, columns: string): Promise<number> {
  await target.query('begin')
  await target.query(`create table bench_copied (like ${table} including all excluding identity)`)
  const begin = performance.now()
  await pipeline(
    source.query(copyTo(`copy (select ${columns} from ${table}) to stdout`)),
    target.query(copyFrom(`copy bench_copied (${columns}) from stdin`)),
  )
  const seconds = (performance.now() - begin) / 1000
  await target.query('rollback')
  return seconds
}
