import type { Handle } from '../../../database/database.ts'
import type { Known } from './numbers.ts'

type Named = 'campus' | 'cursus' | 'projects'

/**
 * Gives records other ids, names and slugs, and whatever points at them the ids. One after the other, so that an id may be
 * taken which another record has just left.
 */
export async function renumber(db: Handle, table: Named, known: Readonly<Record<string, Known>>): Promise<void> {
  const references = await db.rows(REFERENCES, [table])
  for (const [slug, { as, ...names }] of Object.entries(known)) {
    const [row] = await db.rows(`select id from ${table} where slug = $1`, [slug])
    if (!row) throw new Error(`The demonstration school has no ${table} ${slug}`)
    const [id] = row
    if (Number(id) !== as) {
      // A copy, since what points at a record holds its id fast. Its names are its own until the other is gone.
      await db.rows(
        `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('id', $2::integer,
         'name', t.name || ' (new)', 'slug', t.slug || '-new'))).* from ${table} t where id = $1`,
        [id, as],
      )
      for (const [referring, column] of references) {
        await db.rows(`update ${referring} set "${column}" = $2 where "${column}" = $1`, [id, as])
      }
      await db.rows(`delete from ${table} where id = $1`, [id])
    }
    await db.rows(`update ${table} set name = $2, slug = $3 where id = $1`, [as, names.name, names.slug])
  }
  await db.rows(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`)
}

/** Every column that points at a table by a foreign key of one column. */
const REFERENCES = `select c.conrelid::regclass::text, a.attname::text
  from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'f' and c.confrelid = $1::regclass and cardinality(c.conkey) = 1
  order by 1, 2`
