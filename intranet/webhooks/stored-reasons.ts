import { inEnglish, type Message, message, verbatim } from '@campus/engine/base/languages/say'
import { DISABLED_REASONS } from './disabled-endpoints.ts'

/**
 * Reasons for failed attempts, dead deliveries and disabled endpoints. The database stores the code, then a space and the
 * value.
 */
const REASONS = {
  bad_url: () => 'the address of the webservice is not a URL',
  not_https: () => 'the address of the webservice does not begin with https://',
  sealed_secret: () => 'the secret of the webservice cannot be opened: it was sealed with another CAMPUS_SECRET_KEY',
  not_connected: () => 'no connection within the deadline',
  not_answered: (seconds) => message('no complete answer within {seconds} s', { seconds }),
  too_long: (bytes) => message('the answer has more than {bytes} bytes', { bytes }),
  not_public: (address) =>
    message('{address} is not a public address; the operator can allow it with CAMPUS_OUTGOING_ALLOW', { address }),
  not_read: () => 'what is to be sent could not be read',
  not_allowed: () => 'the application may not see such records',
  not_there: () => 'the record is not there any more, or the application may not see it',
  suspended: () => 'the application is suspended',
  switched_off: () => 'the endpoint is switched off',
  ...DISABLED_REASONS,
} satisfies Readonly<Record<string, (value: string) => Message>>

type ReasonCode = keyof typeof REASONS

export const storedReason = (code: ReasonCode, value?: string | number): string =>
  value === undefined ? code : `${code} ${value}`

/** Returns the text of a stored reason. Reasons of former releases have no code and are returned unchanged. */
export function reasonText(stored: string): Message {
  const [code = '', value = ''] = stored.split(/ (.*)/s)
  return isCode(code) ? REASONS[code](value) : verbatim(stored)
}

/** TLS error codes for a refused certificate, which reveal nothing of its content. */
const REFUSED_CERTIFICATE = /\((CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|ERR_TLS_CERT_\w+)\)$/
/** DNS errors of a lookup without an address. */
const NO_ADDRESS = /\b(?:getaddrinfo|queryA|queryAaaa) E\w+/
/** Reasons that depend on the network around this service. */
const NETWORK_REASONS: readonly string[] = ['not_public', 'not_connected'] satisfies ReasonCode[]

/**
 * Returns the text of a reason for the owner of an application. It reveals no resolved address or port, nor whether a host
 * exists or a port is open.
 */
export function reasonForOwner(stored: string): Message {
  const [code = ''] = stored.split(' ')
  if (isCode(code) && !NETWORK_REASONS.includes(code)) return reasonText(stored)
  if (code === 'not_public' || NO_ADDRESS.test(stored)) return 'the address does not lead to a public host'
  const [, certificate] = REFUSED_CERTIFICATE.exec(stored) ?? []
  if (certificate !== undefined)
    return message('the certificate of the receiver was refused ({certificate})', { certificate })
  return 'the receiver could not be reached over HTTPS'
}

export const reasonInEnglish = (stored: string | null): string | null => stored && inEnglish(reasonText(stored))

const isCode = (code: string): code is ReasonCode => Object.hasOwn(REASONS, code)
