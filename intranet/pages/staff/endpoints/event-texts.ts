import { isOneOf, namesOf } from '@campus/engine/base/narrow'
import type { Call } from '../../../webhooks/calls.ts'
import { say } from '../../html.ts'

const TEXTS: Readonly<Record<Call, () => string>> = {
  created: () => say('created'),
  updated: () => say('updated'),
  closed: () => say('closed'),
  unclosed: () => say('unclosed'),
}

/** The webhook event, in a word. */
export const eventText = (event: string): string => (isOneOf(namesOf(TEXTS), event) ? TEXTS[event]() : event)
