/** What a mail of each kind is told about; nothing of it is secret. */
export type MailDetails = {
  /** The person has asked for a link with which to choose another password. */
  readonly reset_link: {
    /** The command by which an operator has asked for it instead. */
    readonly command?: string | undefined
  }
  /** Somebody else has changed the account. */
  readonly account_changed: {
    readonly what: AccountChange
    readonly at: string
    readonly actorId?: number | null | undefined
    readonly applicationId?: number | null | undefined
    readonly command?: string | undefined
    readonly address?: string | null | undefined
    /** Instead of the address of the account: the former one, where that has changed. */
    readonly to?: string
  }
  /** Somebody has signed in to the account in a browser that it did not know. */
  readonly new_sign_in: {
    readonly at: string
    readonly address: string
    /** '' where it is none of the usual ones. */
    readonly browser: string
    readonly system?: string | undefined
  }
  /** Somebody has tried many codes of the second factor. */
  readonly codes_guessed: { readonly at: string; readonly address: string }
  /** The former secret of an application is accepted a little longer. */
  readonly secret_ending: { readonly applicationId: number; readonly until: string }
  /** A campus is told nothing more. */
  readonly endpoint_switched_off: { readonly endpointId: number }
}

/** What others do to an account that its owner hears of. */
export type AccountChange =
  | 'account_changed'
  | 'password_changed'
  | 'password_reset'
  | 'reset_link_created'
  | 'second_factor_disabled'

export type MailKind = keyof MailDetails
