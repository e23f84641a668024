/** How a user signed in, in claims of ID tokens. */
export type Authentication = {
  /** Methods of RFC 8176. Empty if unknown. */
  readonly amr: readonly string[]
  /** A class of REFEDS. */
  readonly acr: string
}

/** The weakest class first (https://refeds.org/profile/sfa, https://refeds.org/profile/mfa). */
export const CLASSES = ['https://refeds.org/profile/sfa', 'https://refeds.org/profile/mfa'] as const

/** The methods of a session in RFC 8176. */
const METHODS: Readonly<Record<string, readonly string[]>> = {
  password: ['pwd'],
  'one-time code': ['otp', 'mfa'],
  'recovery code': ['otp', 'mfa'],
  // The authenticator has verified the user, by a PIN or a finger.
  passkey: ['pop', 'user', 'mfa'],
  // The school's provider knows the method.
  school: [],
}

export function authenticationBy(methods: readonly string[]): Authentication {
  const amr = [...new Set(methods.flatMap((name) => METHODS[name] ?? []))]
  return { amr, acr: CLASSES[amr.includes('mfa') ? 1 : 0] }
}
