import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves after so long, or as soon as the signal is aborted. Keeps no process alive. */
export const pauseFor = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {})
