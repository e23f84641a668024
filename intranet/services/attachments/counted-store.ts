import { Counter } from '@campus/engine/base/metrics/counter'
import { Histogram } from '@campus/engine/base/metrics/histogram'
import type { Metric } from '@campus/engine/base/metrics/metric'
import type { FileStore } from './file-store.ts'

/** Counts the operations of a file store. */
export function countedStore(store: FileStore): { readonly store: FileStore; collect(): readonly Metric[] } {
  const operations = new Counter(
    {
      name: 'campus_file_store_operations_total',
      help: 'What was asked of the store of files, by operation (put, read, remove) and outcome (success, failure).',
    },
    ['operation', 'outcome'],
  )
  const durations = new Histogram(
    {
      name: 'campus_file_store_operation_duration_seconds',
      help: 'How long the store of files took, by operation; of a read until its first bytes.',
      bounds: [0.001, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 300],
    },
    ['operation'],
  )
  async function counted<T>(operation: string, work: Promise<T>): Promise<T> {
    const begun = performance.now()
    let outcome = 'failure'
    try {
      const result = await work
      outcome = 'success'
      return result
    } finally {
      operations.add({ operation, outcome })
      durations.observe({ operation }, (performance.now() - begun) / 1000)
    }
  }
  return {
    store: {
      put: (key, file, contentType) => counted('put', store.put(key, file, contentType)),
      read: (key, range) => counted('read', store.read(key, range)),
      remove: (key) => counted('remove', store.remove(key)),
    },
    collect: () => [operations.collect(), durations.collect()],
  }
}
