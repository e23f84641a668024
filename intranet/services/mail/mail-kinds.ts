/** Stored details of each kind of mail. They contain no secret. */
export type MailDetails = {
  readonly reset_link: {
    /** Command of the operator who requested it. */
    readonly command?: string | undefined
  }
  readonly verify_email: Readonly<Record<string, never>>
  /** Another person changed the account. */
  readonly account_changed: {
    readonly what: AccountChange
    readonly at: string
    readonly actorId?: number | null | undefined
    readonly applicationId?: number | null | undefined
    readonly command?: string | undefined
    readonly address?: string | null | undefined
    /** The former address if it was changed. */
    readonly to?: string
  }
  /** A sign-in in a browser that the account did not know. */
  readonly new_sign_in: {
    readonly at: string
    readonly address: string
    /** '' for an uncommon browser. */
    readonly browser: string
    readonly system?: string | undefined
  }
  /** Many wrong codes of the second factor were entered. */
  readonly codes_guessed: { readonly at: string; readonly address: string }
  readonly second_factor_added: {
    readonly what: 'app' | 'passkey'
    /** Name of the passkey. */
    readonly name: string
    readonly at: string
    readonly address: string
  }
  /** A passkey gave an answer that it cannot have given. */
  readonly passkey_suspected: { readonly name: string; readonly at: string; readonly address: string }
  /** The former secret of an application ends soon. */
  readonly secret_ending: { readonly applicationId: number; readonly until: string }
  readonly endpoint_switched_off: { readonly endpointId: number }
  /** A notification whose kind the person wants by mail. */
  readonly notification: { readonly kind: string; readonly details: object }
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
