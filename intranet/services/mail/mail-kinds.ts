/** The details that are stored with a mail, by its kind; none of them is secret. */
export type MailDetails = {
  /** A link to choose another password was requested. */
  readonly reset_link: {
    /** The command of the operator who requested it. */
    readonly command?: string | undefined
  }
  /** The user requested a link that confirms their address. */
  readonly verify_email: Readonly<Record<string, never>>
  /** Another person changed the account. */
  readonly account_changed: {
    readonly what: AccountChange
    readonly at: string
    readonly actorId?: number | null | undefined
    readonly applicationId?: number | null | undefined
    readonly command?: string | undefined
    readonly address?: string | null | undefined
    /** The former address of the account, where that was changed. */
    readonly to?: string
  }
  /** A sign-in in a browser that the account did not know. */
  readonly new_sign_in: {
    readonly at: string
    readonly address: string
    /** '' where it is not a common one. */
    readonly browser: string
    readonly system?: string | undefined
  }
  /** Many wrong codes of the second factor were entered. */
  readonly codes_guessed: { readonly at: string; readonly address: string }
  /** An app or a passkey was added to the account. */
  readonly second_factor_added: {
    readonly what: 'app' | 'passkey'
    /** Name of the passkey. */
    readonly name: string
    readonly at: string
    readonly address: string
  }
  /** A passkey signed something that it cannot have signed. */
  readonly passkey_suspected: { readonly name: string; readonly at: string; readonly address: string }
  /** The former secret of an application ends soon. */
  readonly secret_ending: { readonly applicationId: number; readonly until: string }
  /** An endpoint was disabled. */
  readonly endpoint_switched_off: { readonly endpointId: number }
  /** A notification of a kind that the person wants mails of. */
  readonly notification: { readonly kind: string; readonly details: object }
  /** A webhook of an application gets no more deliveries. */
  /** The stored name stays: another release may write or read a queued mail. */
  readonly webhook_switched_off: { readonly webhookId: number }
}

/** Changes by others of which the owner of an account is notified. */
export type AccountChange =
  | 'account_changed'
  | 'password_changed'
  | 'password_reset'
  | 'reset_link_created'
  | 'second_factor_disabled'

export type MailKind = keyof MailDetails
