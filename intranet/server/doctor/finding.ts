import type { Database } from '@campus/engine/database/database'
import type { Config } from '../../settings/config.ts'

/** What a check has found, and what to do about it. */
export type Found = {
  /** `fault`: something does not work, or will not soon. */
  readonly state: 'well' | 'warning' | 'fault'
  readonly said: string
  readonly advice?: string
}

export type Finding = Found & { readonly about: string }

/** What is looked at: a service as its settings say it. */
export type Examined = { readonly config: Config; readonly database: Database; readonly now: Date }

/** What there is to look at without the database. */
export type Surroundings = Omit<Examined, 'database'>

/** Looks at one thing. An error that it throws is a fault of that thing. */
export type Check<E = Examined> = {
  readonly about: string
  readonly look: (examined: E) => Promise<readonly Found[]>
}

/** A check that also works while the database is away. */
export type CheckAnywhere = Check<Surroundings & { readonly database?: Database }>

export const well = (said: string): Found => ({ state: 'well', said })
export const warning = (said: string, advice: string): Found => ({ state: 'warning', said, advice })
export const fault = (said: string, advice: string): Found => ({ state: 'fault', said, advice })

export const findingsAbout = (about: string, found: readonly Found[]): readonly Finding[] =>
  found.map((one) => ({ about, ...one }))
