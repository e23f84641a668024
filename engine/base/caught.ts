/** What was thrown, as the error that it nearly always is. */
export const toError = (thrown: unknown): NodeJS.ErrnoException =>
  thrown instanceof Error ? thrown : new Error(String(thrown))

/** The SQLSTATE or the system's code of an error, empty where it has none. */
export const codeOf = (thrown: unknown): string => toError(thrown).code ?? ''
