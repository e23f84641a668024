export type Progress = (step: string, done: number, total: number) => void

/** Runs long work and shows its progress. */
export type ShowProgress = <T>(title: string, work: (progress: Progress) => Promise<T>) => Promise<T>
