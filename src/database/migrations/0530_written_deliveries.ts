import { type AnyDatabase, runScript } from '../tables.ts'

/**
 * A delivery is leased and decided soon after it is made. With room left in its page the lease needs no new entry in any index, and
 * by its state are looked for those that were not delivered.
 */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
alter table deliveries set (fillfactor = 50);
alter table webhook_deliveries set (fillfactor = 50);
create index deliveries_undelivered on deliveries (state, id) where state <> 'delivered';
`
