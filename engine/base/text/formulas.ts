/** Characters that begin a formula in spreadsheets (OWASP, CSV injection); an apostrophe before it prevents that. */
const FORMULA = /^'*[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]/

/** A text as it is written into a table: a spreadsheet shows it and does not reckon it. `readGuarded` reads it back. */
export const guardFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** The text that `guardFormula` wrote. */
export const readGuarded = (text: string): string => (text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text)
