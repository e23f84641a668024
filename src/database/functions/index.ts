import type { AggregatesByTable } from '../aggregates.ts'
import { aggregateFunctions, aggregateTriggers } from './aggregates.ts'
import { APPLICATION_FUNCTIONS, APPLICATION_TRIGGERS } from './applications.ts'
import { type CapturedTable, captureFunction } from './capture.ts'
import { CHANGE_TIME_FUNCTIONS, CHANGE_TIME_TRIGGERS } from './change-times.ts'
import { areRowsRecorded, DUE_TRIGGERS } from './change-triggers.ts'
import { CHOSEN_ID_FUNCTIONS } from './chosen-ids.ts'
import { COALITION_FUNCTIONS, COALITION_TRIGGERS } from './coalitions.ts'
import { COMPACT_COUNTS } from './compact-counts.ts'
import type { SqlFunction, SqlTrigger } from './definitions.ts'
import { ENDPOINT_FUNCTIONS, ENDPOINT_TRIGGERS } from './endpoints.ts'
import { FEED_FUNCTIONS } from './feed.ts'
import { JOURNAL_FUNCTIONS, JOURNAL_TRIGGERS } from './journals.ts'
import { MARK_FUNCTIONS, MARK_TRIGGERS } from './marks.ts'
import { OPENID_FUNCTIONS, OPENID_TRIGGERS } from './openid.ts'
import { POOL_FUNCTIONS, POOL_TRIGGERS } from './pools.ts'
import { REPLICA_FUNCTIONS } from './replicas.ts'
import { SEARCHED_TEXT } from './searched-text.ts'
import { TABLE_FUNCTIONS } from './tables.ts'
import { TEAM_FUNCTIONS, TEAM_TRIGGERS } from './teams.ts'
import { USER_FUNCTIONS, USER_TRIGGERS } from './users.ts'
import { VOTE_FUNCTIONS, VOTE_TRIGGERS } from './votes.ts'
import { WRITER_LEASE_FUNCTIONS, WRITER_LEASE_TRIGGERS } from './writer-lease.ts'

/** Every function of the database as it is now, each after those that it calls. Migrations hold former versions. */
export const functionsFor = (
  aggregates: AggregatesByTable,
  captured: readonly CapturedTable[] = [],
): readonly SqlFunction[] => [
  ...TABLE_FUNCTIONS,
  ...CHOSEN_ID_FUNCTIONS,
  ...FEED_FUNCTIONS,
  ...REPLICA_FUNCTIONS,
  ...WRITER_LEASE_FUNCTIONS,
  ...captured.map((one) => captureFunction(one, areRowsRecorded(one.table))),
  COMPACT_COUNTS,
  SEARCHED_TEXT,
  ...aggregateFunctions(aggregates),
  ...ENDPOINT_FUNCTIONS,
  ...APPLICATION_FUNCTIONS,
  ...TEAM_FUNCTIONS,
  ...COALITION_FUNCTIONS,
  ...VOTE_FUNCTIONS,
  ...JOURNAL_FUNCTIONS,
  ...CHANGE_TIME_FUNCTIONS,
  ...MARK_FUNCTIONS,
  ...OPENID_FUNCTIONS,
  ...POOL_FUNCTIONS,
  ...USER_FUNCTIONS,
]

/** Every trigger as it is now, but for those that tables have in common. */
export const triggersFor = (aggregates: AggregatesByTable): readonly SqlTrigger[] => [
  ...DUE_TRIGGERS,
  ...WRITER_LEASE_TRIGGERS,
  ...aggregateTriggers(aggregates),
  ...ENDPOINT_TRIGGERS,
  ...APPLICATION_TRIGGERS,
  ...TEAM_TRIGGERS,
  ...COALITION_TRIGGERS,
  ...VOTE_TRIGGERS,
  ...JOURNAL_TRIGGERS,
  ...CHANGE_TIME_TRIGGERS,
  ...MARK_TRIGGERS,
  ...OPENID_TRIGGERS,
  ...POOL_TRIGGERS,
  ...USER_TRIGGERS,
]

/** Names of functions that migrations made and nothing calls any more. */
export const RETIRED: readonly string[] = [
  'counting_slot',
  'count_rows',
  'recount_rows',
  'fold_counts',
  'tell_change',
  'record_calls',
  'tell_user',
  'tell_users_row',
  'tell_campus_users_row',
  'tell_closes_row',
]
