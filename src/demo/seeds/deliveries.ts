import { DAY } from './time.ts'
import type { World } from './world.ts'

/** How many deliveries each campus got before its webservice was switched off. */
const LATEST = 8

/** The last deliveries to campuses before their webservices were switched off: the latest changes of their people. */
export async function seedDeliveries(world: World): Promise<void> {
  const until = `'${new Date(world.now - DAY).toISOString()}'::timestamptz`
  await world.derive(
    'deliveries',
    `insert into deliveries (webhook_id, endpoint_id, user_id, login, event, record, state, tries, attempts,
       last_try_at, status, milliseconds, decided_at, created_at, updated_at)
     select md5('delivery ' || id)::uuid::text, endpoint_id, id, login, 'updated', record, 'delivered', 1,
       jsonb_build_array(jsonb_build_object('at', wire_time(at), 'status', 200, 'error', null, 'milliseconds', took)),
       at, 200, took, at, at, at
     from (
       select u.id, u.login, c.endpoint_id, webservice_user(u) as record, u.updated_at as at, 40 + u.id % 90 as took,
         row_number() over (partition by c.id order by u.updated_at desc, u.id) as nth
       from users u join campus_users m on m.user_id = u.id and m.is_primary join campus c on c.id = m.campus_id
       where u.updated_at < ${until}
     ) latest where nth <= ${LATEST} order by at, id`,
  )
}

/** What webservices reported later of the first of these calls. */
export const seedCallbacks = (world: World): Promise<void> =>
  world.derive(
    'callbacks',
    `insert into callbacks (endpoint_id, user_id, url, initial_data, response_data, created_at, updated_at)
     select d.endpoint_id, d.user_id, rtrim(e.url, '/') || '/users/' || d.login || '/update', d.record,
       '{"status":200}', d.decided_at, d.decided_at
     from deliveries d join endpoints e on e.id = d.endpoint_id where d.id % 4 = 1 order by d.id`,
  )
