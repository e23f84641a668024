import { timestamp } from './community/sql.ts'
import type { World } from './world.ts'

const FOR_AN_ACHIEVEMENT = 5

/** The transactions behind the wallet of each user. */
export async function seedWallets(world: World): Promise<void> {
  const now = timestamp(world.now)
  await world.derive(
    'transactions',
    `insert into transactions (value, user_id, transactable_id, transactable_type, reason, created_at, updated_at)
     with entries as (
       select ${FOR_AN_ACHIEVEMENT} as value, w.user_id, a.id as transactable_id, 'Achievement' as transactable_type,
         a.name as reason, min(w.created_at) as at
       from achievements_users w join achievements a on a.id = w.achievement_id group by w.user_id, a.id
       union all
       select -p.price, c.user_id, c.id, 'Command', p.name, c.created_at
       from commands c join products p on p.id = c.product_id
     ), sums as (
       select user_id, sum(value) as sum, min(at) as at from entries group by user_id
     )
     select value, user_id, transactable_id, transactable_type, reason, at as created_at, at as updated_at from entries
     union all
     select u.wallet - coalesce(sum, 0), u.id, null, 'User',
       case when u.wallet > coalesce(sum, 0) then 'Surveillance d''Exam' else 'Bought at the open day' end,
       least(at, u.created_at + interval '1 day', ${now}), least(at, u.created_at + interval '1 day', ${now})
     from users u left join sums on sums.user_id = u.id where u.wallet <> coalesce(sum, 0)
     order by created_at, user_id, transactable_type, transactable_id`,
  )
}
