import { toError } from './caught.ts'
export type Stop = () => unknown

/** Calls all functions in order, even if some fail. Then throws their errors (several as an AggregateError) unless `onError` takes them. */
export async function stopAll(stops: Iterable<Stop | undefined>, onError?: (error: unknown) => void): Promise<void> {
  const errors: unknown[] = []
  for (const stop of stops) {
    try {
      await stop?.()
    } catch (error) {
      errors.push(error)
      onError?.(error)
    }
  }
  if (onError || errors.length === 0) return
  if (errors.length === 1) throw errors[0]
  throw new AggregateError(errors, errors.map((error) => toError(error).message).join('; '))
}
