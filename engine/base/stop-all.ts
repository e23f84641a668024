import { toError } from './caught.ts'
/** Stops something, or releases a resource. */
export type Stop = () => unknown

/**
 * Stops one after another, each of them whatever becomes of the others. What went wrong goes to `onError`, or without it is thrown
 * when all have been asked: an error, or an AggregateError of several.
 */
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
