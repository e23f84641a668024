import { latestSessionId } from '../access/sessions.ts'
import { isEqual } from './csrf.ts'
import type { PageContext } from './page-context.ts'

const PARAMETER = 'signed_in_after'
/** Enough time to find one's phone for the second factor. */
const MAX_MS = 15 * 60_000

/** Returns the parameters of an application's request, without the one that this service adds. */
export function askedParameters(query: string): URLSearchParams {
  const asked = new URLSearchParams(query)
  asked.delete(PARAMETER)
  return asked
}

/**
 * Returns the query to come back with after a sign-in. If the application requires a new sign-in or expects somebody,
 * the query carries the last session that does not count and the expected subject, signed for this request alone.
 */
export async function queryAfterSigningIn(
  { dependencies, path }: PageContext,
  expectedSubject: string | undefined,
): Promise<string> {
  const asked = askedParameters(queryOf(path))
  // The address is stored during the sign-in, so it must not hold a token.
  asked.delete('id_token_hint')
  const isAsked = /\b(login|select_account)\b/.test(asked.get('prompt') ?? '')
  if (!isAsked && !asked.has('max_age') && expectedSubject === undefined) return asked.toString()
  const until = dependencies.clock.now().getTime() + MAX_MS
  const last = await latestSessionId(dependencies.database)
  const carried = `${last}.${until}.${expectedSubject ?? ''}`
  const query = new URLSearchParams(asked)
  query.set(PARAMETER, `${carried}.${dependencies.sealer.sign(signedText(carried, asked))}`)
  return query.toString()
}

type Carried = {
  /** Whether the person has signed in since the application asked for it. */
  readonly hasSignedInAgain: boolean
  /** The subject of the `id_token_hint` that the application sent, if any. */
  readonly carriedSubject: string | undefined
}

/** Reads what this service added to the request. A parameter without a valid signature counts as absent. */
export function carriedThroughSignIn({ dependencies, path, session }: PageContext): Carried {
  const query = queryOf(path)
  const [, carried = '', last = '', until = '', subject = '', proof = ''] =
    /^((\d{1,15})\.(\d{1,15})\.([\w-]*))\.([\w-]+)$/.exec(new URLSearchParams(query).get(PARAMETER) ?? '') ?? []
  const expected = dependencies.sealer.sign(signedText(carried, askedParameters(query)))
  if (!isEqual(proof, expected)) return { hasSignedInAgain: false, carriedSubject: undefined }
  const isInTime = dependencies.clock.now().getTime() <= Number(until)
  return {
    hasSignedInAgain: session !== undefined && session.id > Number(last) && isInTime,
    // An expired proof still limits who may sign in.
    carriedSubject: subject || undefined,
  }
}

export const queryOf = (path: string): string => path.replace(/^[^?]*\??/, '')

const signedText = (carried: string, asked: URLSearchParams) => `signed in after ${carried} for ${asked}`
