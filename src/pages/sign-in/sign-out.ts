import { endSessionOfKey, newKey } from '../../domain/sessions.ts'
import { formAction, redirectTo } from '../page.ts'

/** /sign-out: the session ends here and in the database, and the browser's key with it. */
export const signOut = formAction({
  path: '/sign-out',
  access: 'anybody',
  async submit(visit) {
    await endSessionOfKey(visit.parts.database, visit.key)
    visit.setKey(newKey())
    return redirectTo('/', { notice: 'You are signed out.' })
  },
})
