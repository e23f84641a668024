import { once } from '../once.ts'

/** What is not seen, or has what is beside it seen in another order: format and direction controls, fillers, blanks. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cf}\p{Zl}\p{Zp}\u2800]/u

/** Emoji are made of several characters, of which some are not seen by themselves. */
const emoji = once(() => /\p{RGI_Emoji}/gv) // It takes a while to make, and is seldom needed.

/** Scripts that are not written rightly without joiners between their letters, such as Persian names. */
const JOINING = [
  ...['Arab', 'Syrc', 'Mong', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh', 'Khmr'],
  'Mymr',
]
const LETTER = `[${JOINING.map((script) => `\\p{scx=${script}}`).join('')}]`
const joiners = once(() => new RegExp(`(?<=${LETTER})[\\u200c\\u200d](?=${LETTER})`, 'gu'))

/** Whether a text looks different from its characters, so that it can pass for another. */
export const hidesText = (text: string): boolean =>
  HIDDEN.test(text) && HIDDEN.test(text.replace(emoji(), '').replace(joiners(), ''))
