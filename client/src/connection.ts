import type { Fetch } from './send.ts'

/** No answer came: the service could not be reached, or not in safety. `fetch`'s own error is its cause. */
export class ConnectionError extends TypeError {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = new.target.name
  }
}

/** The service has a certificate that this process does not trust. */
export class CertificateError extends ConnectionError {}

/** What Node says of a certificate that no known authority has signed. */
const UNKNOWN_SIGNER = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]
const UNTIMELY = ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']

/** The same `fetch`, whose failures say what is wrong and what would be right. */
export const explaining =
  (fetch: Fetch): Fetch =>
  async (request) => {
    try {
      return await fetch(request)
    } catch (error) {
      throw explained(error, new URL(request.url).origin)
    }
  }

function explained(error: unknown, origin: string): unknown {
  const cause =
    error instanceof TypeError ? (error.cause as { code?: unknown; message?: unknown } | undefined) : undefined
  if (cause === undefined) return error
  const code = String(cause.code ?? '')
  const what = `The certificate of ${origin}`
  if (UNKNOWN_SIGNER.includes(code)) return new CertificateError(`${what} ${howToTrust(code)}`, error)
  if (UNTIMELY.includes(code))
    return new CertificateError(`${what} is not valid today (${code}): have the service make or get a new one.`, error)
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return new CertificateError(`${what} is for another name: give \`url\` a name that it has. ${cause.message}`, error)
  return new ConnectionError(`No answer from ${origin}: ${messageOf(cause, code)}`, error)
}

function howToTrust(code: string): string {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> }
  }
  const named = process?.env?.NODE_EXTRA_CA_CERTS
  return (
    `is signed by nobody whom this process trusts (${code}). One that Campus Intranet made for itself is the file ` +
    'tls/cert.pem in the data folder of the service: start this program with NODE_EXTRA_CA_CERTS=data/tls/cert.pem, or ' +
    'wherever a copy of it is. ' +
    (named === undefined ? 'NODE_EXTRA_CA_CERTS is not set' : `NODE_EXTRA_CA_CERTS is "${named}", which is not it`) +
    '; it is read when the process starts.'
  )
}

/** Of several addresses that were tried, each has a message of its own, and all together have none. */
function messageOf({ message }: { readonly message?: unknown }, code: string): string {
  return String(message || code || 'the connection failed')
}
