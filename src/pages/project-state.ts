import { say } from './say.ts'

const WORDS: Readonly<Record<string, () => string>> = {
  creating_group: () => say('creating group'),
  searching_a_group: () => say('searching a group'),
  in_progress: () => say('in progress'),
  waiting_for_correction: () => say('waiting for correction'),
  finished: () => say('finished'),
  parent: () => say('parent'),
}

/** How far somebody is with a project, in words. */
export const projectState = (status: string): string => WORDS[status]?.() ?? status
