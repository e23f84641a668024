import { once } from '../once.ts'

/** Invisible characters and characters that change the direction of text. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cf}\p{Zl}\p{Zp}\u2800]/u

/** Emoji sequences contain invisible characters. */
const emoji = once(() => /\p{RGI_Emoji}/gv) // Slow to compile and seldom needed.

/** Scripts that need joiners between letters, such as in Persian names. */
const JOINING = 'Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr'.split(' ')
const LETTER = `[${JOINING.map((script) => `\\p{scx=${script}}`).join('')}]`
const joiners = once(() => new RegExp(`(?<=${LETTER})[\\u200c\\u200d](?=${LETTER})`, 'gu'))

export const hidesText = (text: string): boolean =>
  HIDDEN.test(text) && HIDDEN.test(text.replace(emoji(), '').replace(joiners(), ''))
