import { BATCH_ROWS } from '../in-batches.ts'
import { isLeaseOver } from '../lease-ends.ts'
import { type FeedReaders, MAX_CAPTURED_ROWS } from './capture.ts'
import type { SqlFunction } from './definitions.ts'

export const feedFunctions = (readers: FeedReaders | undefined): readonly SqlFunction[] => [
  // Another history means another cluster, or a promoted standby. Known positions are invalid then.
  {
    name: 'cluster_history',
    returns: 'text',
    language: 'sql',
    isStable: true,
    body: `
      select concat_ws(':', (select system_identifier from pg_control_system()), substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))
    `,
  },
  // Returns null if another process has the lease, or else whether anything was copied. The lease avoids work, and the row lock excludes
  // concurrent copies. Copies rows that are visible now and were not at the last copy: those of later transactions and of transactions
  // that were running then. The order of ids is the commit order of one record's changes.
  {
    name: 'relay_changes',
    parameters: 'holder text, seconds integer',
    returns: 'boolean',
    language: 'plpgsql',
    settings: { enable_seqscan: 'off', enable_bitmapscan: 'off' },
    body: `
      declare
        relay feed_relay;
        is_foreign boolean := false;
        copied bigint;
        partition text := 'feed_' || to_char(current_date, 'YYYYMMDD');
      begin
        select * into relay from feed_relay
        where lease = holder or ${isLeaseOver('leased_until', 'make_interval(secs => seconds)')} for update skip locked;
        if not found then return null; end if;
        if to_regclass(partition) is null then
          -- Attached, since what is created as a partition waits for all who read the others.
          execute format('create table %I (like feed including all)', partition);
          execute format('alter table feed attach partition %I for values from (%L) to (%L)', partition, current_date, current_date + 1);
        end if;
        if relay.history is distinct from cluster_history() then
          is_foreign := split_part(relay.history, ':', 1) <> split_part(cluster_history(), ':', 1);
          if is_foreign then
            -- Numbers of transactions are those of the cluster in which they were given: what had not been copied there, and
            -- what was written here since.
            insert into feed (position, day, xid, relation, record_id, operation, columns, events, actor, changed_at, carried, former)
            select relay.position + row_number() over (order by id), current_date, xid, relation, record_id, operation, columns, events,
              actor, changed_at, carried, former
            from change_log where not pg_visible_in_snapshot(xid, relay.snapshot) or xid::xid = xmin;
            get diagnostics copied = row_count;
            delete from change_log;
          end if;
          update feed_relay set history = cluster_history(), position = position + coalesce(copied, 0), epoch = case when relay.history is null then epoch else gen_random_uuid() end,
            snapshot = case when is_foreign then pg_current_snapshot() else snapshot end,
            purged = case when is_foreign then pg_current_snapshot() else purged end
          where id = 1 returning * into relay;
        end if;
        with looked as materialized (select pg_current_snapshot() as snapshot), found as (
          select logged.*, count(*) over (partition by xid, relation) as many from (
            select * from change_log where xid >= pg_snapshot_xmax(relay.snapshot)
            union all
            select * from change_log where xid = any(array(select pg_snapshot_xip(relay.snapshot)))
          ) logged
        ), picked as (
          select id, xid, relation, record_id, operation, columns, events, actor, changed_at, carried, former from found
          where many <= ${MAX_CAPTURED_ROWS} or carried is not null
          union all
          select min(id), xid, relation, null, 'table', null, null, max(actor), max(changed_at), null, null from found
          where many > ${MAX_CAPTURED_ROWS} and carried is null group by xid, relation
        ), appended as (
          insert into feed (position, day, xid, relation, record_id, operation, columns, events, actor, changed_at, carried, former)
          select relay.position + row_number() over (order by id), current_date, xid, relation, record_id, operation, columns, events,
            actor, changed_at, carried, former from picked
          returning 1
        ), ended as (select count(*) as many from appended)
        update feed_relay set position = position + ended.many, lease = holder,
          snapshot = case when ended.many > 0 then looked.snapshot else feed_relay.snapshot end,
          leased_until = clock_timestamp() + make_interval(secs => seconds)
        from looked, ended
        where id = 1 and (ended.many > 0 or lease is distinct from holder or leased_until not between
          clock_timestamp() + make_interval(secs => seconds / 2.0) and clock_timestamp() + make_interval(secs => 2 * seconds));
        get diagnostics copied = row_count;
        return copied > 0 and (select position from feed_relay) > relay.position;
      end
    `,
  },
  // Deletes a batch of copied rows and returns their number. Must be called until it is less than a batch. Looks only at rows that were
  // copied since the last purge, to skip dead rows.
  {
    name: 'purge_change_log',
    returns: 'bigint',
    language: 'plpgsql',
    settings: { enable_seqscan: 'off', enable_bitmapscan: 'off' },
    body: `
      declare
        relay feed_relay;
        purged_rows bigint;
      begin
        select * into relay from feed_relay for update;
        with gone as (
          delete from change_log where ctid = any(array(
            select ctid from change_log
            where xid >= pg_snapshot_xmin(relay.purged) and xid < pg_snapshot_xmax(relay.snapshot) and pg_visible_in_snapshot(xid, relay.snapshot)
            limit ${BATCH_ROWS}
          )) returning 1
        ) select count(*) into purged_rows from gone;
        if purged_rows < ${BATCH_ROWS} then
          update feed_relay set purged = relay.snapshot where id = 1;
        end if;
        return purged_rows;
      end
    `,
  },
  // Drops days that are old enough and read by all readers. Waits for readers of the feed, which in turn block others, so not for long.
  {
    name: 'drop_feed_days',
    parameters: 'hours integer',
    returns: 'integer',
    language: 'plpgsql',
    settings: { lock_timeout: '1s' },
    body: `
      declare
        old_day text;
        is_read boolean;
        dropped integer := 0;
      begin
        for old_day in
          select inhrelid::regclass::text from pg_inherits where inhparent = 'feed'::regclass
            and inhrelid::regclass::text < 'feed_' || to_char(now() - make_interval(hours => hours + 24), 'YYYYMMDD')
          order by 1
        loop
          execute format('select not exists (select from feed_readers r where %s and r.position < (select max(position) from %s))',
            '${isReading(readers)}',
            old_day) into is_read;
          exit when not is_read;
          execute format('drop table %s', old_day);
          dropped := dropped + 1;
        end loop;
        return dropped;
      end
    `,
  },
]

/** SQL condition, within a string, for a row `r` of `feed_readers` whose unread changes must be kept. */
const isReading = (readers: FeedReaders | undefined): string =>
  readers === undefined
    ? 'false'
    : `case r.name when ''${readers.calls.reader}'' then exists (select from ${readers.calls.table} where active) else exists (select from ${readers.subscriptions} where active) end`
