import { AuthorizeError, type Step } from './authorization-request.ts'
import { isOfAnother, isTooOld } from './openid.ts'

/** Requires a signed-in user, and a new sign-in where the application asks for it. */
export const requirePerson: Step = (request) => {
  const { userId, hasSignedInAgain, prompts } = request
  const isAnother = isOfAnother(request)
  if (hasSignedInAgain && isAnother) {
    throw new AuthorizeError('login_required', 'Another person has signed in than the id_token_hint is of.')
  }
  const again = prompts.has('login') || prompts.has('select_account') || isAnother || isTooOld(request)
  if (userId !== undefined && (!again || hasSignedInAgain)) return {}
  if (!prompts.has('none')) return { ask: 'sign-in' }
  throw new AuthorizeError('login_required', userId === undefined ? 'Nobody is signed in.' : 'A new sign-in is needed.')
}
