import { isOneOf } from '@campus/engine/base/narrow'
import { KINDS } from '../../school/domain/accounts/account-kinds.ts'
import { CLOSE_KINDS } from '../../school/domain/accounts/close-kinds.ts'
import { say } from '../html.ts'

const KIND_TEXTS: Readonly<Record<(typeof KINDS)[number], () => string>> = {
  student: () => say('student'),
  admin: () => say('admin'),
  external: () => say('external'),
}

export const kindChoices = () => KINDS.map((value) => ({ value, label: KIND_TEXTS[value]() }))

export const kindText = (kind: string): string => (isOneOf(KINDS, kind) ? KIND_TEXTS[kind]() : kind)

const CLOSE_TEXTS: Readonly<Record<(typeof CLOSE_KINDS)[number], () => string>> = {
  agu: () => say('anti-grav unit'),
  other: () => say('other'),
  deserter: () => say('deserter'),
  black_hole: () => say('black hole'),
  serious_misconduct: () => say('serious misconduct'),
  social_security: () => say('social security'),
  non_admitted: () => say('not admitted'),
  pace_unknown: () => say('pace unknown'),
}

export const closeChoices = () => CLOSE_KINDS.map((value) => ({ value, label: CLOSE_TEXTS[value]() }))

export const closeText = (kind: string): string => (isOneOf(CLOSE_KINDS, kind) ? CLOSE_TEXTS[kind]() : kind)
