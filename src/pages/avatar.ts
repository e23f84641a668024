import { type Html, html } from './html.ts'

type Someone = { readonly login: string; readonly displayname?: string | undefined }

/** So many colours has the stylesheet. */
const COLOURS = 8

/** A person's initials in a colour that is always the same one. It says nothing to a screen reader: the name stands beside it. */
export const avatar = ({ login, displayname = login }: Someone, size: '' | 'large' = ''): Html =>
  html`<span class="avatar face-${colourOf(login)}${size ? ` ${size}` : ''}" aria-hidden="true" translate="no">${initialsOf(displayname)}</span>`

/** Of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.split(/[\s_-]+/u).filter((word) => /^\p{L}/u.test(word))
  const [first = name, last] = [words[0], words.length > 1 ? words.at(-1) : undefined]
  return [first, last].flatMap((word) => [...(word ?? '')].slice(0, 1)).join('')
}

const colourOf = (login: string): number =>
  [...login].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973, 7) % COLOURS
