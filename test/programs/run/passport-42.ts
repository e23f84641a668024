// @ts-expect-error It comes without types.
import passport from 'passport'
// @ts-expect-error It comes without types.
import { Strategy } from 'passport-42'
import { program } from '../program.ts'

type Answer = { redirect?: string; user?: unknown; failure?: unknown }

await program(async ({ uid, secret, redirectUri, allow }) => {
  const options = { clientID: uid, clientSecret: secret, callbackURL: redirectUri }
  const strategy = new Strategy(
    options,
    (_token: string, refreshToken: string, profile: object, done: (error: null, user: object) => void) =>
      done(null, { hasRefreshToken: typeof refreshToken === 'string', ...profile }),
  )
  const authenticate = new passport.Passport().use(strategy).authenticate('42', { session: false })
  /** A request as far as Passport looks at it. */
  const ask = (query: object) =>
    new Promise<Answer>((resolve, reject) => {
      const request = { query, session: {}, headers: {}, connection: {} } as { user?: unknown }
      const response = { setHeader: (_name: string, redirect: string) => resolve({ redirect }), end: () => {} }
      authenticate(request, response, (error: unknown) => (error ? reject(error) : resolve({ user: request.user })))
    })
  const back = await allow((await ask({})).redirect ?? '')
  const { user } = await ask(Object.fromEntries(back.searchParams))
  return user
})
