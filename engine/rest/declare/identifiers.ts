import { identifier as quote } from '../../database/literal.ts'

export { quote }

/** A column of the row, in a statement. */
export const columnOf = (alias: string, name: string) => `${alias}.${quote(name)}`
