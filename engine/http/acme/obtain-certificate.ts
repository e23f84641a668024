import acme from 'acme-client'
import { codeOf, toError } from '../../base/caught.ts'
import { accountKey, type Obtained } from './acme-files.ts'
import type { Challenges } from './challenges.ts'

export type AcmeConfig = {
  readonly email: string
  readonly directory: string
  /** Port for HTTP-01 challenges. The authority connects to port 80, which may be forwarded. */
  readonly port: number
}

type Asked = AcmeConfig & { readonly data: string; readonly host: string; readonly challenges: Challenges }

/** Proves control of a host name and returns its certificate. Rejects with the authority's message. */
export async function obtainCertificate({ email, directory, data, host, challenges }: Asked): Promise<Obtained> {
  await checkThere(directory)
  const account = await accountKey(data, () => acme.crypto.createPrivateEcdsaKey())
  const client = new acme.Client({ directoryUrl: directory, accountKey: account })
  const [key, csr] = await acme.crypto.createCsr({ altNames: [host] }, await acme.crypto.createPrivateEcdsaKey())
  const cert = await client.auto({
    csr,
    email,
    termsOfServiceAgreed: true,
    challengePriority: ['http-01'],
    // The verification would request our own name, which may resolve differently here.
    skipChallengeVerification: true,
    challengeCreateFn: async (_authorization, { token }, answer) => challenges.answers.set(token, answer),
    challengeRemoveFn: async (_authorization, { token }) => challenges.answers.delete(token),
  })
  return { cert, key: key.toString() }
}

const TIMEOUT_MILLISECONDS = 10_000

/** Throws if the authority is unavailable. The client would retry five times, and then not give the reason. */
async function checkThere(directory: string): Promise<void> {
  try {
    await fetch(directory, { signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) })
  } catch (error) {
    const { message, cause } = toError(error)
    throw new Error(`${directory} does not answer (${codeOf(cause) || message})`)
  }
}
