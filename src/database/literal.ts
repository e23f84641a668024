/** A text in a statement. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
