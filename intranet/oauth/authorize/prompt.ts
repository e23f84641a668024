import { isOneOf } from '@campus/engine/base/narrow'
import { AuthorizeError, parameter, type Step } from './authorization-request.ts'

/** What `prompt` may ask for: nothing shown, a new sign-in, a new consent. */
export const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const

/** Finds what the application wants the person to be asked. */
export const findPrompts: Step = (request) => {
  const names = parameter(request, 'prompt')?.split(' ').filter(Boolean) ?? []
  const prompts = new Set(names)
  const isKnown = names.every((name) => isOneOf(PROMPTS, name))
  if (!isKnown || (prompts.has('none') && prompts.size > 1)) {
    throw new AuthorizeError('invalid_request', `The prompt must be of ${PROMPTS.join(', ')}; none stands alone.`)
  }
  return { prompts }
}
