import { authenticateByPasskey } from '../../access/prove-passkey.ts'
import { formPage, page, part, redirectTo } from '../page.ts'
import { checkingOf, requestOptions } from '../passkeys.ts'
import { PASSKEY_OPTIONS_PATH, PASSKEY_PATH, showSignIn } from './sign-in.ts'
import { goOnSigningIn } from './steps.ts'

/** Returns the same options to everybody, since the passkey identifies its owner. */
const options = page({
  path: PASSKEY_OPTIONS_PATH,
  access: 'anybody',
  show: async (context) =>
    part('application/json', await requestOptions(context, { purpose: 'sign-in', userId: undefined })),
})

/** A passkey stands for the password and the second factor. */
const signInByPasskey = formPage({
  path: PASSKEY_PATH,
  access: 'anybody',
  show: (context, { form, errors }) =>
    form ? showSignIn(context, { form: undefined, errors }) : redirectTo('/sign-in'),
  async submit(context, form) {
    const { signIns } = context.dependencies
    const answered = { credential: form.text('credential'), browserKey: context.key }
    const prove = () => authenticateByPasskey(checkingOf(context), answered, context.origin)
    const userId = await signIns.prove('passkey', prove)
    const returnTo = context.query.text('return_to')
    return goOnSigningIn(context, { userId, returnTo, passed: ['passkey'] })
  },
})

export const PASSKEY_SIGN_IN_PAGES = [...options, ...signInByPasskey]
