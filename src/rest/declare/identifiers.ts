/** Quotes a name that comes from a declaration. */
export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/** A column of the row, in a statement. */
export const columnOf = (alias: string, name: string) => `${alias}.${quote(name)}`
