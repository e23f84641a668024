import assert from 'node:assert/strict'
import type { Handle } from '@campus/engine/database/database'

/** Compares all balances with the entries of their ledgers. */
export async function assertBalancesMatchEntries(handle: Handle): Promise<void> {
  assert.deepEqual(await handle.rows(POINTS), [], 'evaluation points that are not the sum of their entries')
  assert.deepEqual(await handle.rows(WALLETS), [], 'wallets that are not the sum of their transactions')
  assert.deepEqual(await handle.rows(TOTALS), [], 'entries whose total is not the sum up to them')
}

const POINTS = `
  select u.id, u.correction_point, coalesce(sum(h.sum), 0)
  from users u left join correction_point_historics h on h.user_data_id = u.id
  group by u.id having u.correction_point <> coalesce(sum(h.sum), 0)`

const WALLETS = `
  select u.id, u.wallet, coalesce(sum(t.value), 0)
  from users u left join transactions t on t.user_id = u.id
  group by u.id having u.wallet <> coalesce(sum(t.value), 0)`

const TOTALS = `
  select id, user_data_id, total, so_far from (
    select *, sum(sum) over (partition by user_data_id order by id) as so_far from correction_point_historics
  ) h where total <> so_far`
