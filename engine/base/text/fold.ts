/**
 * Folds the case of ASCII letters only, to compare logins, e-mail addresses, roles and keys. Equals `lower(column)` in the collation
 * "C" for every code point. `toLowerCase` differs: it maps the Kelvin sign to k.
 */
export const fold = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

export const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text)
