/** Characters that begin a formula in spreadsheets (OWASP, CSV injection). A leading apostrophe prevents it. */
const FORMULA = /^'*[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]/

/** Escapes a text so that spreadsheets do not evaluate it. */
export const guardFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

export const readGuarded = (text: string): string => (text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text)
