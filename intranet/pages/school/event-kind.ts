import { say } from '../html.ts'

const WORDS: Readonly<Record<string, () => string>> = {
  pedago: () => say('pedagogy'),
  rush: () => say('rush'),
  piscine: () => say('piscine'),
  partnership: () => say('partnership'),
  meet: () => say('meeting'),
  conference: () => say('conference'),
  meet_up: () => say('meet-up'),
  event: () => say('event'),
  association: () => say('association'),
  speed_working: () => say('speed working'),
  hackathon: () => say('hackathon'),
  workshop: () => say('workshop'),
  challenge: () => say('challenge'),
  atelier: () => say('studio'),
  other: () => say('other'),
  extern: () => say('from outside'),
}

export const eventKind = (kind: string): string => WORDS[kind]?.() ?? kind
