import acme from 'acme-client'
import { codeOf, toError } from '../../base/caught.ts'
import { accountKey, type Obtained } from './acme-files.ts'
import type { Challenges } from './challenges.ts'

/** A certificate authority that speaks ACME (RFC 8555), and who asks it. */
export type AcmeConfig = {
  readonly email: string
  readonly directory: string
  /** The port that the authority calls us back at, which is 80 but behind something that passes it on. */
  readonly port: number
}

type Asked = AcmeConfig & { readonly data: string; readonly host: string; readonly challenges: Challenges }

/** Proves control of the name, and gives its certificate. Rejects with the authority's message. */
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
    // It would ask our own name, which may lead elsewhere from here.
    skipChallengeVerification: true,
    challengeCreateFn: async (_authorization, { token }, answer) => challenges.put(token, answer),
    challengeRemoveFn: async (_authorization, { token }) => challenges.remove(token),
  })
  return { cert, key: key.toString() }
}

const TIMEOUT_MILLISECONDS = 10_000

/** The client retries five times to reach an unavailable authority, and then does not give the reason. */
async function checkThere(directory: string): Promise<void> {
  try {
    await fetch(directory, { signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) })
  } catch (error) {
    const { message, cause } = toError(error)
    throw new Error(`${directory} does not answer (${codeOf(cause) || message})`)
  }
}
