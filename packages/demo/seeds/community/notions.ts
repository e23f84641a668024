import { slugOf } from '@campus/engine/base/text/slugs'
import { literal } from '@campus/engine/database/literal'
import { withIds } from '../bulk-insert.ts'
import { CORE, ENTRY_POOL } from '../school.ts'
import { DAY, openedAt, toSecond } from '../time.ts'
import type { SeedFiles, World } from '../world.ts'

/** Name, cursus, and names of the subnotions. */
const NOTIONS = [
  ['Shell', ENTRY_POOL, ['Finding your way', 'Pipes', 'Rights']],
  ['Git', ENTRY_POOL, ['The first commit', 'Branches', 'Working together']],
  ['C basics', ENTRY_POOL, ['Variables', 'Loops', 'Functions', 'Pointers']],
  ['Memory', CORE, ['Stack and heap', 'malloc and free', 'Leaks']],
  ['Sorting', CORE, ['How much is much', 'Quicksort', 'Heaps']],
  ['Processes', CORE, ['fork', 'Signals', 'Threads']],
  ['Networks', CORE, ['Addresses', 'Sockets', 'HTTP']],
  ['Databases', CORE, ['Tables', 'Joins', 'Transactions']],
] as const

const FILM_SECONDS = 6

/** Notions under the tags of the forum, with films, papers and links in their subnotions. */
export async function seedNotions(world: World, files: SeedFiles | undefined): Promise<void> {
  const notions = withIds(
    NOTIONS.map(([name, cursus, parts], index) => {
      return { name, slug: slugOf(name), cursus, parts, created_at: toSecond(openedAt(world.now) + index * 20 * DAY) }
    }),
  )
  await world.insert('notions', notions)
  const taught = notions.map(({ id, cursus }) => ({ notion_id: id, cursus_id: cursus }))
  await world.insert('notions_cursus', taught)
  await world.derive(
    'notions_tags',
    `insert into notions_tags (notion_id, tag_id)
     select n.id, t.id from notions n, (select id, row_number() over (order by id) as place from tags) t
     where t.place = 1 + n.id % 4 order by n.id`,
  )
  const subnotions = notions.flatMap(({ id, slug, parts, created_at }) =>
    parts.map((name, position) => {
      return { notion_id: id, name, slug: `${slug}-${slugOf(name)}`, position, created_at }
    }),
  )
  await world.insert('subnotions', subnotions)
  await seedMaterial(world, files)
}

async function seedMaterial(world: World, files: SeedFiles | undefined): Promise<void> {
  const link = `'link', 'Link', 'Read more', 'https://docs.campus.example/' || s.slug, null::integer, null, null::integer, 0, 0`
  const film =
    files &&
    `'video', 'Video', 'The lesson', null, ${files.film.id}, ${literal(files.film.name)}, null, 0, ${FILM_SECONDS}`
  const sheet = files?.paper
  const paper =
    sheet &&
    `'pdf', 'Pdf', 'The paper', null, ${sheet.id}, ${literal(sheet.name)}, ${sheet.thumbId}, ${sheet.pageCount}, 0`
  const kinds = [film, paper, link].flatMap((values, index) =>
    values
      ? `select ${index}, s.id, s.slug, s.created_at, ${values} from subnotions s where (s.id + ${index}) % 3 < 2`
      : [],
  )
  await world.derive(
    'attachments',
    `insert into attachments (subnotion_id, language_id, slug, kind, attachable_type, name, url, file_id, file_name, thumb_id,
       page_count, duration, created_at, updated_at)
     select m.subnotion, (select id from languages where identifier = 'en'), m.slug || '-' || m.kind, m.kind, m.attachable_type, m.name, m.url,
       m.file_id, m.file_name, m.thumb_id, m.page_count, m.duration, m.at, m.at
     from (${kinds.join(' union all ')}) m
       (place, subnotion, slug, at, kind, attachable_type, name, url, file_id, file_name, thumb_id, page_count, duration)
     order by m.subnotion, m.place`,
  )
  await world.run(
    'update stored_files set unused_since = null where id in (select unnest(array[file_id, thumb_id]) from attachments)',
  )
}
