type Facts = {
  readonly cause?: unknown
  /** False where no connection was made, so that nothing can have been carried out. */
  readonly wasSent?: boolean
  readonly attempts?: number
}

/** No answer came: the service could not be reached, or not in safety. `fetch`'s own error is its cause. */
export class ConnectionError extends TypeError {
  /** False where the request certainly never left; true where it may have been carried out. */
  readonly wasSent: boolean
  /** Number of attempts. */
  readonly attempts: number

  constructor(message: string, { cause, wasSent = true, attempts = 1 }: Facts = {}) {
    super(message, { cause })
    this.name = new.target.name
    this.wasSent = wasSent
    this.attempts = attempts
  }
}

/** The service has a certificate that this process does not trust. */
export class CertificateError extends ConnectionError {}

/** The whole answer did not come within `timeoutSeconds`. */
export class TimeoutError extends ConnectionError {}

/** Codes of Node.js and Bun for a certificate that no known authority has signed. */
const UNKNOWN_SIGNER = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]
const UNTIMELY = ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']
const OTHER_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID'
const INVALID = 'CERT_INVALID'
/** Codes of failures to connect. */
const UNCONNECTED = [
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'],
  ...[...UNKNOWN_SIGNER, ...UNTIMELY, OTHER_NAME, INVALID],
]
/** Messages of Deno, which has no codes, after the address. */
const IN_DENO: readonly (readonly [pattern: RegExp, code: string])[] = [
  [/invalid peer certificate: (UnknownIssuer|CaUsedAsEndEntity)/, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  [/invalid peer certificate: .*(Expired|NotValidYet)/i, 'CERT_HAS_EXPIRED'],
  [/invalid peer certificate: .*(NotValidForName|not valid for)/i, OTHER_NAME],
  [/invalid peer certificate/, INVALID],
  [/client error \(Connect\): (tcp connect|dns) error/, 'ECONNREFUSED'],
]

/** Explains a failure of `fetch` and its remedy. Each runtime reports it differently, and browsers give no reason. */
export function explained(error: unknown, origin: string, attempts: number): ConnectionError {
  const { code, text } = reasonOf(error)
  const facts = { cause: error, attempts, wasSent: !UNCONNECTED.includes(code) }
  const what = `The certificate of ${origin}`
  if (UNKNOWN_SIGNER.includes(code)) return new CertificateError(`${what} ${howToTrust(code)}`, facts)
  if (UNTIMELY.includes(code))
    return new CertificateError(`${what} is not valid today (${code}): have the service make or get a new one.`, facts)
  if (code === OTHER_NAME)
    return new CertificateError(`${what} is for another name: give \`url\` a name that it has. ${text}`, facts)
  if (code === INVALID) return new CertificateError(`${what} is not valid: ${text}`, facts)
  return new ConnectionError(`No answer from ${origin}: ${text}`, facts)
}

function reasonOf(error: unknown): { readonly code: string; readonly text: string } {
  // Node.js and Deno wrap the reason, Bun and browsers do not.
  const { cause, ...own } = factsOf(error)
  const { code, message } = cause === undefined ? own : factsOf(cause)
  // Deno names the whole address, whose query is the caller's own.
  const text = String(message || code || 'the connection failed').replace(/^.*? for url \(.*?\): /s, '')
  const [, known] = IN_DENO.find(([pattern]) => pattern.test(text)) ?? []
  return { code: String(code ?? known ?? ''), text }
}

type Reason = { readonly code?: unknown; readonly message?: unknown; readonly cause?: unknown }
/** Returns code, message and cause. An error of several tried addresses has no message, but its parts have. */
const factsOf = (error: unknown): Reason => {
  const { code, message, cause }: Reason = Object(error)
  return { code, message, cause }
}

function howToTrust(code: string): string {
  const name = 'Deno' in globalThis ? 'DENO_CERT' : 'NODE_EXTRA_CA_CERTS'
  const named = variable(name)
  return (
    `is signed by nobody whom this process trusts (${code}). One that Campus Intranet made for itself is the file ` +
    `tls/cert.pem in the data folder of the service: start this program with ${name}=data/tls/cert.pem, or ` +
    'wherever a copy of it is. ' +
    (named === undefined ? `${name} is not set` : `${name} is "${named}", which is not it`) +
    '; it is read when the process starts.'
  )
}

function variable(name: string): string | undefined {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> }
  }
  try {
    return process?.env?.[name]
  } catch {
    // Deno refuses, unless it was started with --allow-env.
    return undefined
  }
}
