import { identifier as quote } from '../../database/literal.ts'

export { quote }

export const columnOf = (alias: string, name: string) => `${alias}.${quote(name)}`
