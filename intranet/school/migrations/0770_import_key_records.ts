/** Finds import keys by their records, since a chosen id removes the keys of a deleted record that had it. */
export const indexes = {
  import_keys_record_index: 'import_keys (record_id, resource)',
} as const

/** Creates only the index. */
export const up = async () => {}
