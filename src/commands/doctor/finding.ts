import type { Config } from '../../base/config.ts'
import type { Database } from '../../database/database.ts'

/** What a check has found, and what to do about it. */
export type Finding = {
  readonly about: string
  /** `fault`: something does not work, or will not soon. */
  readonly state: 'well' | 'warning' | 'fault'
  readonly said: string
  readonly advice?: string
}

/** What is looked at: a service as its settings say it. */
export type Examined = { readonly config: Config; readonly database: Database; readonly now: Date }

/** What there is to look at without the database. */
export type Surroundings = Omit<Examined, 'database'>

/** Looks at one thing. An error that it throws is a fault of that thing. */
export type Check<E = Examined> = {
  readonly about: string
  readonly look: (examined: E) => Promise<readonly Finding[]>
}

/** Findings about one thing. */
export const findingsAbout = (about: string) => ({
  well: (said: string): Finding => ({ about, state: 'well', said }),
  warning: (said: string, advice: string): Finding => ({ about, state: 'warning', said, advice }),
  fault: (said: string, advice: string): Finding => ({ about, state: 'fault', said, advice }),
})
