import { literal } from '@campus/engine/database/literal'
import { SCHEDULE } from '@campus/intranet/webhooks/schedule'
import { timestamp, wireTime } from './community/sql.ts'
import { DAY } from './time.ts'
import { WEBSERVICE_RECORD } from './webservice-record.ts'
import type { World } from './world.ts'

/** Deliveries to each webservice. */
const LATEST = 8
/** Time after which a delivery that never succeeded is given up. */
const GIVEN_UP_AFTER = 4 * DAY

/** Seconds from the event to each attempt, without jitter: 0, 5, 65 … */
const ATTEMPTS_AFTER = [0, ...SCHEDULE.delaysSeconds].map((_, nth) =>
  SCHEDULE.delaysSeconds.slice(0, nth).reduce((sum, delay) => sum + delay, 0),
)

/**
 * Exceptional outcomes of deliveries. `of` selects by webservice and by how many of its users changed later. The last of
 * `statuses` repeats.
 */
const OUTCOMES = [
  { of: 'endpoint = 1 and nth = 1', statuses: [503], answer: 'The directory is being restarted.' },
  { of: 'endpoint = 1 and nth_of_old = 1', statuses: [500], answer: 'The directory has two entries of this login.' },
  { of: 'endpoint = 1 and nth = 4', statuses: [422], answer: '{"errors":{"phone":["is not one of this country"]}}' },
  { of: 'endpoint = 2 and nth = 3', statuses: [404], answer: '{"error":"no such user"}' },
  { of: 'endpoint = 2 and nth = 5', statuses: [502, 204], answer: '' },
  { of: 'endpoint = 3 and nth = 1', statuses: [410], answer: 'This directory has moved.' },
] as const
const DELIVERED = { statuses: [204], answer: '' } as const

/**
 * Deliveries of the latest changes of users, with every outcome. Disables the webservice that answered 410 and enables the
 * others if the options say so.
 */
export async function seedDeliveries(world: World): Promise<void> {
  const now = timestamp(world.now)
  const isOld = `u.updated_at < ${timestamp(world.now - GIVEN_UP_AFTER)}`
  const attemptsAfter = `unnest(array[${ATTEMPTS_AFTER.join(', ')}])`
  if (world.webservicesAreOn) await world.run('update endpoints set active = true')
  // The first outcome is a pending delivery, which a disabled webservice cannot have.
  const outcomes = world.webservicesAreOn ? OUTCOMES : OUTCOMES.slice(1)
  const choose = (value: (outcome: typeof DELIVERED | (typeof OUTCOMES)[number]) => string) =>
    `case ${outcomes.map((outcome) => `when ${outcome.of} then ${value(outcome)}`).join(' ')} else ${value(DELIVERED)} end`
  await world.derive(
    'deliveries',
    `insert into deliveries (webhook_id, endpoint_id, user_id, login, event, record, state, tries, attempts,
       last_try_at, status, answer, milliseconds, due_at, decided_at, created_at, updated_at)
     with changed as (
       select u.id, u.login, c.endpoint_id as endpoint, ${WEBSERVICE_RECORD} as record, u.updated_at as at, 40 + u.id % 90 as took,
         row_number() over (partition by c.id order by u.updated_at desc, u.id) as nth,
         row_number() over (partition by c.id, ${isOld} order by u.updated_at desc, u.id) * case when ${isOld} then 1 end as nth_of_old
       from users u join campus_users m on m.user_id = u.id and m.is_primary join campus c on c.id = m.campus_id
       where u.updated_at < ${timestamp(world.now - DAY)}
     ), sent as (
       select changed.*, ${choose(({ statuses }) => `array[${statuses.join(', ')}]`)} as statuses, ${choose(({ answer }) => literal(answer))} as answer
       from changed where nth <= ${LATEST} or (endpoint = 1 and nth_of_old = 1)
     ), tried as (
       select sent.*, list.*, (select min(at + after * interval '1 second') from ${attemptsAfter} after
           where statuses[cardinality(statuses)] >= 500 and at + after * interval '1 second' >= ${now}) as due
       from sent, lateral (
         select jsonb_agg(jsonb_build_object('at', ${wireTime('tried_at')}, 'status', status, 'error', null, 'milliseconds', took) order by tried_at) as attempts,
           max(tried_at) as last_at, count(*) as tries
         from (
           select at + after * interval '1 second' as tried_at, statuses[least(place, cardinality(statuses))] as status
           from ${attemptsAfter} with ordinality attempt (after, place)
           where at + after * interval '1 second' < ${now} and (place <= cardinality(statuses) or statuses[cardinality(statuses)] >= 500)) attempts
       ) list
     )
     select md5('delivery ' || id)::uuid::text, endpoint, id, login, 'updated', record,
       case when last_status < 300 then 'delivered' when last_status in (404, 422) then 'rejected' when due is null then 'dead' else 'pending' end,
       tries, attempts, last_at, last_status, answer, took, due, case when due is null then last_at end, at, last_at
     from (select tried.*, statuses[cardinality(statuses)] as last_status from tried) decided order by at, id`,
  )
  await world.run(
    `insert into endpoint_failures (endpoint_id, since, calls)
     select d.endpoint_id, min(try.at), count(*) from deliveries d, jsonb_to_recordset(d.attempts) try (at timestamptz, status integer)
     where try.status >= 500 and try.at > (
       select max(last_try_at) from deliveries other where other.endpoint_id = d.endpoint_id and other.state in ('delivered', 'rejected'))
       and exists (select from endpoints e where e.id = d.endpoint_id and e.active)
     group by 1`,
  )
  await world.run(
    `update endpoints e set active = false, switched_off_at = d.last_try_at, switched_off_because = 'gone',
       updated_at = d.last_try_at from deliveries d where d.endpoint_id = e.id and d.status = 410`,
  )
}

/** Reports of webservices on some of the deliveries that they accepted. */
export const seedCallbacks = (world: World): Promise<void> =>
  world.derive(
    'callbacks',
    `insert into callbacks (endpoint_id, user_id, url, initial_data, response_data, created_at, updated_at)
     select d.endpoint_id, d.user_id, rtrim(e.url, '/') || '/users/' || d.login || '/update', d.record,
       '{"status":200}', d.decided_at, d.decided_at
     from deliveries d join endpoints e on e.id = d.endpoint_id where d.state = 'delivered' and d.id % 4 = 1 order by d.id`,
  )
