import type { Database } from '@campus/engine/database/database'
import type { Config } from '../../settings/config.ts'

/** Result of a check, and what to do about it. */
export type Found = {
  /** `fault`: something does not work, or soon will not. */
  readonly state: 'well' | 'warning' | 'fault'
  readonly said: string
  readonly advice?: string
}

export type Finding = Found & { readonly about: string }

export type Examined = { readonly config: Config; readonly database: Database; readonly now: Date }

export type Surroundings = Omit<Examined, 'database'>

/** A check. An error that it throws is a fault. */
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
