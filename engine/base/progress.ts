/** Called with the progress of a long operation. */
export type Progress = (step: string, done: number, total: number) => void

/** Does something long and shows how far it has come. */
export type ShowProgress = <T>(title: string, work: (progress: Progress) => Promise<T>) => Promise<T>
