import { AuthorizeError, type Step } from './authorization-request.ts'

/** Requires a signed-in user, and a new sign-in where the application asks for it. */
export const requirePerson: Step = ({ userId, hasSignedInAgain, prompts }) => {
  if (userId === undefined && prompts.has('none')) {
    throw new AuthorizeError('login_required', 'Nobody is signed in.')
  }
  const again = prompts.has('login') || prompts.has('select_account')
  return userId === undefined || (again && !hasSignedInAgain) ? { ask: 'sign-in' } : {}
}
