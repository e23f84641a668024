/** Scopes of the API, as assistants need and see them. */
export type AssistantScopes = {
  /** The scope that a tool needs to change anything. */
  readonly acting: string
  /** Descriptions of the scopes. */
  readonly descriptions: Readonly<Record<string, string>>
  /** Returns scopes of a token by the names that clients know. */
  readonly named: (scopes: readonly string[]) => readonly string[]
}
