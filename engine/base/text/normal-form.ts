type Form = 'NFC' | 'NFD' | 'NFKC' | 'NFKD'

/** More combining marks than the Stream-Safe Text Format allows (UAX #15 §13). NFKC turns the two halfwidth letters into marks. */
const TOO_MANY_MARKS = /[\p{M}\uff9e\uff9f]{31}/u

/** Normalizes a text unless it has more than 30 combining marks in a row, since sorting them takes quadratic time. */
export const normalForm = (text: string, form: Form): string =>
  TOO_MANY_MARKS.test(text) ? text : text.normalize(form)
