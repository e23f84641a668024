import { say } from './say.ts'

const WORDS: Readonly<Record<string, () => string>> = {
  agu: () => say('AGU'),
  other: () => say('other'),
  deserter: () => say('deserter'),
  black_hole: () => say('black hole'),
  serious_misconduct: () => say('serious misconduct'),
  social_security: () => say('social security'),
  non_admitted: () => say('not admitted'),
  pace_unknown: () => say('pace unknown'),
}

/** Why an account is closed, in words. */
export const closeKind = (kind: string): string => WORDS[kind]?.() ?? kind
