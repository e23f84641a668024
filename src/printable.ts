const MAX_CHARACTERS = 200

/** The beginning of a text from outside, with nothing that speaks to a terminal or has what is beside it read otherwise. */
export const printable = (text: string): string =>
  text.slice(0, MAX_CHARACTERS).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ')
