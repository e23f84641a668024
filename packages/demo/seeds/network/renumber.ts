import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import type { Known } from './numbers.ts'

type Named = 'campus' | 'cursus' | 'projects'

/**
 * Changes ids, names and slugs of records and the foreign keys that refer to them. The order of the records matters: an id
 * may be one that an earlier record had.
 */
export async function renumber(db: Handle, table: Named, known: Readonly<Record<string, Known>>): Promise<void> {
  const { rows: references } = await referencesTo(table).execute(db.kysely)
  for (const [oldSlug, { as, name, slug }] of Object.entries(known)) {
    const { id } = await db.kysely.selectFrom(table).select('id').where('slug', '=', oldSlug).executeTakeFirstOrThrow()
    if (id !== as) {
      // References need an existing record, so copy it. The unique names must differ until the original is deleted.
      await sql`insert into ${sql.id(table)} select (jsonb_populate_record(t, jsonb_build_object('id', ${as}::integer,
         'name', t.name || ' (new)', 'slug', t.slug || '-new'))).* from ${sql.id(table)} t where id = ${id}`.execute(
        db.kysely,
      )
      for (const { referring, column } of references) {
        await sql`update ${sql.id(referring)} set ${sql.id(column)} = ${as} where ${sql.id(column)} = ${id}`.execute(
          db.kysely,
        )
      }
      await db.kysely.deleteFrom(table).where('id', '=', id).execute()
    }
    await db.kysely.updateTable(table).set({ name, slug }).where('id', '=', as).execute()
  }
  await sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql.id(table)}))`.execute(
    db.kysely,
  )
}

/** Finds columns with a foreign key to the table. */
const referencesTo = (table: string) => sql<{ referring: string; column: string }>`
  select c.conrelid::regclass::text as referring, a.attname as column
  from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'f' and c.confrelid = ${table}::regclass and cardinality(c.conkey) = 1
  order by 1, 2`
