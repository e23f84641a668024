import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/**
 * From here on calls to campuses are made of the change feed, from where it is now: what changed before has calls already, by the triggers
 * that end here. Nobody writes to their tables meanwhile.
 */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
lock table users, campus_users, closes in share row exclusive mode;
select from feed_relay for update;
update change_log set carried = null, former = null where carried is not null;
insert into feed_readers (name, epoch, position) select 'campuses', epoch, position from feed_relay;

drop trigger if exists users_created on users;
drop trigger if exists users_updated on users;
drop trigger if exists users_unclosed on users;
drop trigger if exists campus_users_joined on campus_users;
drop trigger if exists campus_users_left on campus_users;
drop trigger if exists campus_users_changed on campus_users;
drop trigger if exists closes_made on closes;
drop trigger if exists closes_moved on closes;
drop function if exists record_users_change;
drop function if exists record_campus_users_change;
drop function if exists record_close;
drop function if exists record_user_event;
drop function if exists record_deliveries;
drop function if exists webservice_close;
drop function if exists webservice_user;
drop function if exists webservice_campus;
drop function if exists wire_time;
`
