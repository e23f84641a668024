import { timingSafeEqual } from 'node:crypto'
import { latestSessionId } from '../domain/access/sessions.ts'
import { SUBJECT_HINT } from '../oauth/authorize/openid.ts'
import type { PageContext } from './page-context.ts'

const PARAMETER = 'signed_in_after'
/** Long enough to find one's phone for the second factor. */
const MAX_MS = 15 * 60_000

/** A request of an application without what we have added to it. */
export function askedParameters(query: string): URLSearchParams {
  const asked = new URLSearchParams(query)
  asked.delete(PARAMETER)
  return asked
}

/**
 * The query to return with after a sign-in. Where the application asks for a new one, it carries the last session that
 * does not count, signed for this request alone, so that an address that is opened without signing in asks again.
 */
export async function queryAfterSigningIn(
  { dependencies, path }: PageContext,
  expectedSubject: string | undefined,
): Promise<string> {
  const asked = askedParameters(queryOf(path))
  // The address is stored while somebody signs in, so that it holds no token.
  asked.delete('id_token_hint')
  if (expectedSubject !== undefined) asked.set(SUBJECT_HINT, expectedSubject)
  const isAsked = /\b(login|select_account)\b/.test(asked.get('prompt') ?? '')
  if (!isAsked && !asked.has('max_age') && !asked.has(SUBJECT_HINT)) return asked.toString()
  const until = dependencies.clock.now().getTime() + MAX_MS
  const last = await latestSessionId(dependencies.database)
  const query = new URLSearchParams(asked)
  query.set(PARAMETER, `${last}.${until}.${dependencies.sealer.sign(signedText(last, until, asked))}`)
  return query.toString()
}

/** Whether the person has signed in since the application asked for it. */
export function hasSignedInAgain({ dependencies, path, session }: PageContext): boolean {
  const query = queryOf(path)
  const [, last = '', until = '', proof = ''] =
    /^(\d{1,15})\.(\d{1,15})\.([\w-]+)$/.exec(new URLSearchParams(query).get(PARAMETER) ?? '') ?? []
  const expected = dependencies.sealer.sign(signedText(Number(last), Number(until), askedParameters(query)))
  if (!session || !isSame(proof, expected)) return false
  return session.id > Number(last) && dependencies.clock.now().getTime() <= Number(until)
}

export const queryOf = (path: string): string => path.replace(/^[^?]*\??/, '')

const signedText = (last: number, until: number, asked: URLSearchParams) =>
  `signed in after session ${last} until ${until} for ${asked}`

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
