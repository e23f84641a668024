/** A clock and its waits, in milliseconds; tests give their own. */
export type Timer = {
  now(): number
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const timer: Timer = {
  now: () => performance.now(),
  wait: (milliseconds, signal) => {
    let timeout: ReturnType<typeof setTimeout>
    const waiting = new Promise<void>((resolve) => {
      timeout = setTimeout(resolve, milliseconds)
    })
    return abortable(waiting, signal).finally(() => clearTimeout(timeout))
  },
}

/** Returns a promise that also rejects when the signal is aborted. The work goes on for others that wait for it. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
