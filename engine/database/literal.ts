/** Quotes a text for a statement. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Quotes an identifier for a statement. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`
