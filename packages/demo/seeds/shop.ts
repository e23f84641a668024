import { slugOf } from '@campus/engine/base/text/slugs'
import { literal } from '@campus/engine/database/literal'
import { drawingPath } from '../drawing-path.ts'
import { timestamp } from './community/sql.ts'
import { CORE } from './school.ts'
import type { World } from './world.ts'

const PRODUCTS = [
  ['Mug', 'Holds half a litre of tea', 40, 'manager'],
  ['Hoodie', 'With the arms of your coalition', 320, 'manager'],
  ['Sticker sheet', 'Twelve for the back of a laptop', 15, 'manager'],
  ['Another title', 'Shown beside your name', 250, 'auto'],
  ['A day in the quiet room', 'For one person and one day', 60, 'user'],
  ['Coffee with a tutor', 'Half an hour about anything', 80, 'user'],
  ['Water bottle', 'Of steel', 120, 'manager'],
  ['A seat with a window', 'Kept for you for a week', 150, 'user'],
] as const

/** Products of every campus, and orders of students. */
export async function seedShop(world: World): Promise<void> {
  const now = timestamp(world.now)
  const rows = PRODUCTS.map(([name, description, price, kind], nth) => {
    const slug = slugOf(name)
    const values = [name, description, kind, slug, drawingPath('products', slug)].map(literal)
    return `(${nth + 1}, ${price}, ${values.join(', ')})`
  })
  await world.derive(
    'products',
    `insert into products (name, description, price, quantity, category_id, kind, slug, image, is_uniq,
       one_time_purchase, created_at, updated_at)
     select name, description, price, case when kind = 'manager' then 20 + nth * 5 end, 1 + nth % 3, kind,
       slug, image, kind = 'auto', kind = 'auto', ${now} - interval '400 days', ${now} - nth * interval '1 day'
     from (values ${rows.join(', ')}) as given (nth, price, name, description, kind, slug, image) order by nth`,
  )
  await world.derive(
    'campus_products',
    `insert into campus_products (campus_id, product_id)
     select campus.id, products.id from campus cross join products order by campus.id, products.id`,
  )
  await world.derive(
    'commands',
    `insert into commands (product_id, user_id, owner_id, used, validator_id, validated_at, created_at, updated_at)
     select product_id, user_id, user_id, handed_at is not null and user_id % 2 = 0, case when handed_at is not null then validator_id end,
       handed_at, ordered_at, coalesce(handed_at, ordered_at)
     from (
       select 1 + u.id % ${PRODUCTS.length} as product_id, u.id as user_id, staff.id as validator_id, ordered_at,
         case when u.id % 5 > 0 and staff.id is not null then least(${now}, ordered_at + interval '2 hours') end as handed_at
       from users u join campus_users m on m.user_id = u.id and m.is_primary
       join cursus_users c on c.user_id = u.id and c.cursus_id = ${CORE}
       cross join lateral (select greatest(c.begin_at, ${now} - (u.id * 7 % 90 + 1) * interval '1 day') as ordered_at) o
       left join lateral (
         select min(a.id) as id from users a join campus_users p on p.user_id = a.id and p.is_primary
         where a.kind = 'admin' and p.campus_id = m.campus_id) staff on true
       where u.id % 4 = 0 and coalesce(c.end_at, 'infinity') > ordered_at + interval '2 hours'
         and coalesce(u.closed_at, 'infinity') > ordered_at + interval '2 hours'
     ) ordered order by ordered_at, user_id`,
  )
}
