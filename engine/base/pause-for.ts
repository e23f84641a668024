import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves after a delay or when the signal is aborted. Does not keep the process alive. */
export const pauseFor = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {})
