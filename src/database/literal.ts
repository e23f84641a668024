/** A text in a statement. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A name in a statement. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`
