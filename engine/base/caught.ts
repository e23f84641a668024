export const toError = (thrown: unknown): NodeJS.ErrnoException =>
  thrown instanceof Error ? thrown : new Error(String(thrown))

/** Returns the SQLSTATE or system code of an error, or an empty string if it has none. */
export const codeOf = (thrown: unknown): string => toError(thrown).code ?? ''
