/** A clock and its waits, in milliseconds; tests give their own. */
export type Timer = {
  now(): number
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const timer: Timer = {
  now: () => performance.now(),
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const abort = () => {
        clearTimeout(timeout)
        reject(signal?.reason)
      }
      const timeout = setTimeout(() => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }, milliseconds)
      signal?.addEventListener('abort', abort, { once: true })
    }),
}
