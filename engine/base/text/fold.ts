/**
 * Two logins, e-mail addresses, names of roles or keys are the same where this makes them the same: A to Z are a to z, and every other
 * letter is itself alone. So it is for the database, whose columns have the collation "C": `lower(column)` gives the same for every
 * code point (`fold.test.ts`). `toLowerCase` does not: it takes the Kelvin sign for a k.
 */
export const fold = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Whether letters of other scripts are in a text, which may look like others. */
export const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text)
