export type Progress = (step: string, done: number, total: number) => void

export type ShowProgress = <T>(title: string, work: (progress: Progress) => Promise<T>) => Promise<T>
