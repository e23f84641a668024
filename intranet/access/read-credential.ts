import { isRecord } from '@campus/engine/base/narrow'
import { unprocessable } from '@campus/engine/errors'

/** A credential with the longest id (1023 bytes), an RSA key and several extensions is a quarter of it. */
const MAX_CREDENTIAL_LENGTH = 16_384
/** The longest id that an authenticator may give (WebAuthn §4). */
const MAX_ID_BYTES = 1023

/** What every answer of an authenticator has, as base64url where it is bytes. */
type Common = {
  readonly id: string
  /** As its client data has it. */
  readonly challenge: string
}

/** The answer to a request for a passkey. */
export type Assertion = Common & {
  readonly clientDataJSON: string
  readonly authenticatorData: string
  readonly signature: string
  readonly userHandle: string | undefined
}

/** A new passkey. */
export type Attestation = Common & {
  readonly clientDataJSON: string
  readonly attestationObject: string
  readonly transports: readonly string[]
}

/** Those of WebAuthn §5.8.4; others are of no use to a browser. */
const TRANSPORTS = ['ble', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

/** Reads what a browser sends in the field of a form. Throws 422. */
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

/** Reads a new passkey. Throws 422. */
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
  // A page of another site that has ours in a frame is none of ours, whatever the origin of the frame.
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

/** One answer to whatever is wrong with a passkey: its reasons would help nobody but who forges them. */
export const passkeyRefused = () =>
  unprocessable({ base: ['The passkey was not accepted. Try again, or go another way.'] })
