/** What a mail of each kind is told about; nothing of it is secret. */
export type MailDetails = {
  /** The person has asked for a link with which to choose another password. */
  readonly reset_link: Readonly<Record<string, never>>
  /** Somebody has signed in to the account in a browser that it did not know. */
  readonly new_sign_in: {
    readonly at: string
    readonly address: string
    /** '' where it is none of the usual ones. */
    readonly browser: string
    readonly system?: string | undefined
  }
  /** The former secret of an application is accepted a little longer. */
  readonly secret_ending: { readonly applicationId: number; readonly until: string }
  /** A campus is told nothing more. */
  readonly endpoint_switched_off: { readonly endpointId: number }
}

export type MailKind = keyof MailDetails
