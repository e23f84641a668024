type Form = 'NFC' | 'NFD' | 'NFKC' | 'NFKD'

/**
 * More combining marks in a row than the Stream-Safe Text Format (UAX #15 §13) has. The two halfwidth letters become marks in
 * NFKC and NFKD.
 */
const TOO_MANY_MARKS = /[\p{M}\uff9e\uff9f]{31}/u

/**
 * Returns the Unicode normal form of a text. Returns a text with more than 30 combining marks in a row as it is: sorting
 * them takes quadratic time, so a mebibyte of marks would stop the process for minutes.
 */
export const normalForm = (text: string, form: Form): string =>
  TOO_MANY_MARKS.test(text) ? text : text.normalize(form)
