import { isRecord } from '@campus/engine/base/narrow'
import { unprocessable } from '@campus/engine/errors'

/** Four times a credential with an RSA key, several extensions and the longest id. */
const MAX_CREDENTIAL_LENGTH = 16_384
/** Maximum length of an id (WebAuthn §4). */
const MAX_ID_BYTES = 1023

/** Common fields of answers. Bytes are base64url. */
type Common = {
  readonly id: string
  /** The challenge in the client data. */
  readonly challenge: string
}

export type Assertion = Common & {
  readonly clientDataJSON: string
  readonly authenticatorData: string
  readonly signature: string
  readonly userHandle: string | undefined
}

export type Attestation = Common & {
  readonly clientDataJSON: string
  readonly attestationObject: string
  readonly transports: readonly string[]
}

/** Transports of WebAuthn §5.8.4. */
const TRANSPORTS = ['ble', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

/** Reads the answer that a browser sends in a form field. Throws 422. */
export function readAssertion(text: string): Assertion {
  const { response, ...common } = readCommon(text)
  const { userHandle } = response
  return {
    ...common,
    authenticatorData: bytesOf(response.authenticatorData),
    signature: bytesOf(response.signature),
    userHandle: userHandle === undefined || userHandle === null ? undefined : bytesOf(userHandle),
  }
}

/** Throws 422. */
export function readAttestation(text: string): Attestation {
  const { response, ...common } = readCommon(text)
  const { transports } = response
  return {
    ...common,
    attestationObject: bytesOf(response.attestationObject),
    transports: Array.isArray(transports) ? TRANSPORTS.filter((known) => transports.includes(known)) : [],
  }
}

function readCommon(text: string) {
  const credential = text.length <= MAX_CREDENTIAL_LENGTH ? parse(text) : undefined
  if (!isRecord(credential) || !isRecord(credential.response)) throw passkeyRefused()
  const { response, type, id, rawId } = credential
  if (type !== 'public-key' || id !== rawId) throw passkeyRefused()
  const clientDataJSON = bytesOf(response.clientDataJSON)
  const clientData = parse(Buffer.from(clientDataJSON, 'base64url').toString())
  // Refuses an answer from a page that another site has in a frame.
  if (!isRecord(clientData) || clientData.crossOrigin === true || clientData.topOrigin !== undefined)
    throw passkeyRefused()
  const challenge = bytesOf(clientData.challenge)
  return { response, id: bytesOf(id, MAX_ID_BYTES), challenge, clientDataJSON }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function bytesOf(value: unknown, maxBytes = MAX_CREDENTIAL_LENGTH): string {
  if (typeof value !== 'string' || !/^[\w-]+$/.test(value) || value.length > Math.ceil((maxBytes * 4) / 3))
    throw passkeyRefused()
  return value
}

/** One error for all faults of a passkey, whose reasons would help only attackers. */
export const passkeyRefused = () =>
  unprocessable({ base: ['The passkey was not accepted. Try again, or go another way.'] })
