import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/**
 * A delivery is leased and decided soon after it is made. With room left in its page the lease needs no new entry in any index, and
 * by its state are looked for those that were not delivered.
 */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
alter table deliveries set (fillfactor = 50);
alter table webhook_deliveries set (fillfactor = 50);
`

export const indexes = {
  deliveries_undelivered: `deliveries (state, id) where state <> 'delivered'`,
  deliveries_user_id_origin_idx: 'deliveries (user_id, origin) where origin is not null',
}
