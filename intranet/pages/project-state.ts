import { say } from './html.ts'

const WORDS: Readonly<Record<string, () => string>> = {
  creating_group: () => say('making a team'),
  searching_a_group: () => say('looking for a team'),
  in_progress: () => say('in progress'),
  waiting_for_correction: () => say('waiting for evaluation'),
  parent: () => say('of several parts'),
  finished: () => say('finished'),
}

/** Shows an unknown state as it is. */
export const projectState = (status: string): string => WORDS[status]?.() ?? status
