import { say } from '../html.ts'

/** What the words mean by which refusals are counted. */
const REASONS: Readonly<Record<string, () => string>> = {
  second: () => say('over the rate of a second'),
  hour: () => say('over the rate of an hour'),
  scope: () => say('the token lacks a scope'),
  role: () => say('the application lacks a role'),
  rule: () => say('a rule forbids it'),
  record: () => say('there is no such record'),
  route: () => say('there is no such address'),
  method: () => say('the address takes other methods'),
  malformed: () => say('the request cannot be read'),
  invalid: () => say('a value breaks a rule'),
  conflict: () => say('the same request is under way'),
  representation: () => say('no such representation'),
  content_type: () => say('no such content type'),
  size: () => say('the body is too large'),
  time: () => say('the body took too long'),
}

/** Why a call was refused, as developers read it. */
export const reasonText = (reason: string): string => REASONS[reason]?.() ?? reason.replaceAll('_', ' ')
