/** How a user signed in, as ID tokens say it. */
export type Authentication = {
  /** Methods of RFC 8176; none where how it was done is not known. */
  readonly amr: readonly string[]
  /** A class of REFEDS, which schools and their services know. */
  readonly acr: string
}

/** The classes, the weakest first (https://refeds.org/profile/sfa, https://refeds.org/profile/mfa). */
export const CLASSES = ['https://refeds.org/profile/sfa', 'https://refeds.org/profile/mfa'] as const

/** The methods of a session in RFC 8176. */
const METHODS: Readonly<Record<string, readonly string[]>> = {
  password: ['pwd'],
  'one-time code': ['otp', 'mfa'],
  'recovery code': ['otp', 'mfa'],
  // The authenticator has verified the user, by a PIN or a finger.
  passkey: ['pop', 'user', 'mfa'],
  // The school's provider knows how.
  school: [],
}

/** How a user signed in, by the methods of their session. */
export function authenticationBy(methods: readonly string[]): Authentication {
  const amr = [...new Set(methods.flatMap((name) => METHODS[name] ?? []))]
  return { amr, acr: CLASSES[amr.includes('mfa') ? 1 : 0] }
}
