import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINE_MIGRATIONS } from '@campus/engine/database/engine-migrations'
import { anyDatabase } from '@campus/engine/database/tables'
import { emptyDatabase, type TestDatabase, testDatabase } from '@campus/test/support/database'

/** Columns, constraints, indexes, options and views of these tables, in words that leave out generated names. */
async function shapeOf({ rows }: TestDatabase, tables: readonly string[]): Promise<readonly string[]> {
  const found = await rows(
    `with named as (select oid, relname::text as name, relkind, relpersistence, reloptions from pg_class
       where relnamespace = 'public'::regnamespace and relname = any($1))
     select concat_ws(' ', name, relkind, relpersistence, reloptions) from named
     union all select concat_ws(' ', name, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity,
         (select collname from pg_collation l where l.oid = a.attcollation), pg_get_expr(d.adbin, d.adrelid))
       from named n join pg_attribute a on a.attrelid = n.oid and a.attnum > 0 and not a.attisdropped
       left join pg_attrdef d on d.adrelid = n.oid and d.adnum = a.attnum
     union all select concat_ws(' ', name, pg_get_constraintdef(c.oid)) from named n join pg_constraint c on c.conrelid = n.oid
     union all select regexp_replace(pg_get_indexdef(i.indexrelid), ' INDEX \\S+ ', ' INDEX ') from named n join pg_index i on i.indrelid = n.oid
     union all select name || pg_get_viewdef(oid) from named where relkind = 'v'`,
    [tables],
  )
  return found.map(([line]) => String(line)).sort()
}

test('a new service has the same tables of the engine as the school, whose own migrations made them', async () => {
  const [empty, school] = await Promise.all([emptyDatabase(), testDatabase()])
  try {
    for (const { up } of Object.values(ENGINE_MIGRATIONS)) await up(anyDatabase(empty.kysely))
    const found = await empty.rows(
      "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')",
    )
    const tables = found.map(([name]) => String(name))
    assert.ok(tables.length >= 15, tables.join(' '))
    assert.deepEqual(await shapeOf(empty, tables), await shapeOf(school, tables))
  } finally {
    await Promise.all([empty.close(), school.close()])
  }
})
