import type { DeclaredStorage } from './declared-storage.ts'
import { aggregateFunctions, aggregateTriggers } from './functions/aggregates.ts'
import { type CapturedTable, captureFunction } from './functions/capture.ts'
import { CHOSEN_ID_FUNCTIONS } from './functions/chosen-ids.ts'
import { COMPACT_COUNTS } from './functions/compact-counts.ts'
import type { SqlFunction, SqlTrigger } from './functions/definitions.ts'
import { feedFunctions } from './functions/feed.ts'
import { REPLICA_FUNCTIONS } from './functions/replicas.ts'
import { SEARCHED_TEXT } from './functions/searched-text.ts'
import { TABLE_FUNCTIONS } from './functions/tables.ts'
import { WRITER_LEASE_FUNCTIONS, writerLeaseTriggers } from './functions/writer-lease.ts'

type Declared = Pick<DeclaredStorage, 'aggregates' | 'feedReaders' | 'recording' | 'functions' | 'triggers'>

export const functionsFor = (
  { aggregates, feedReaders, recording, functions }: Declared,
  captured: readonly CapturedTable[] = [],
): readonly SqlFunction[] => [
  ...TABLE_FUNCTIONS,
  ...CHOSEN_ID_FUNCTIONS,
  ...feedFunctions(feedReaders),
  ...REPLICA_FUNCTIONS,
  ...WRITER_LEASE_FUNCTIONS,
  ...captured.map((one) => captureFunction(one, feedReaders, recording.rowsRecorded.has(one.table))),
  COMPACT_COUNTS,
  SEARCHED_TEXT,
  ...aggregateFunctions(aggregates),
  ...functions,
]

export const triggersFor = ({ aggregates, recording, triggers }: Declared): readonly SqlTrigger[] => [
  ...writerLeaseTriggers(recording),
  ...aggregateTriggers(aggregates),
  ...triggers,
]

export const RETIRED_FUNCTIONS: readonly string[] = ['count_rows', 'recount_rows', 'fold_counts']
