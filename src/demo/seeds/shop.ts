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

/** The shop: what is sold at every campus, and who ordered it. */
export async function seedShop(world: World): Promise<void> {
  const now = `to_timestamp(${world.now} / 1000.0)`
  const rows = PRODUCTS.map(
    ([name, description, price, kind], nth) => `(${nth + 1}, '${name}', '${description}', ${price}, '${kind}')`,
  )
  await world.derive(
    'products',
    `insert into products (name, description, price, quantity, category_id, kind, slug, image, is_uniq,
       one_time_purchase, created_at, updated_at)
     select name, description, price, case when kind = 'manager' then 20 + nth * 5 end, 1 + nth % 3, kind,
       lower(replace(name, ' ', '-')), 'https://cdn.campus.example/products/' || nth || '.png', kind = 'auto', kind = 'auto',
       ${now} - interval '400 days', ${now} - nth * interval '1 day'
     from (values ${rows.join(', ')}) as given (nth, name, description, price, kind) order by nth`,
  )
  await world.derive(
    'campus_products',
    `insert into campus_products (campus_id, product_id)
     select campus.id, products.id from campus cross join products order by campus.id, products.id`,
  )
  await world.derive(
    'commands',
    `insert into commands (product_id, user_id, owner_id, used, validator_id, validated_at, created_at, updated_at)
     select product_id, user_id, user_id, handed_at is not null and user_id % 2 = 0,
       case when handed_at is not null then (select min(id) from users where kind = 'admin') end,
       handed_at, ordered_at, coalesce(handed_at, ordered_at)
     from (
       select 1 + u.id % ${PRODUCTS.length} as product_id, u.id as user_id, ordered_at,
         case when u.id % 5 > 0 then least(${now}, ordered_at + interval '2 hours') end as handed_at
       from users u
       cross join lateral (select greatest(u.created_at, ${now} - (u.id * 7 % 90) * interval '1 day') as ordered_at) o
       where u.kind = 'student' and u.id % 4 = 0
     ) ordered order by ordered_at, user_id`,
  )
}
