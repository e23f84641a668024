import { normalForm } from '@campus/engine/base/text/normal-form'

/** Letters that do not decompose into a plain letter and an accent. */
const PLAIN = new Map(Object.entries({ ß: 'ss', ø: 'o', æ: 'ae', œ: 'oe', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }))
const MAX_LETTERS = 8

/** Makes logins from first letter and last name, with a number if the login is taken. */
export class Logins {
  readonly #given = new Map<string, number>()

  next(firstName: string, lastName: string): string {
    const stem = (toPlainLetters(firstName).slice(0, 1) + toPlainLetters(lastName)).slice(0, MAX_LETTERS)
    const count = (this.#given.get(stem) ?? 0) + 1
    this.#given.set(stem, count)
    return count === 1 ? stem : `${stem}${count}`
  }
}

function toPlainLetters(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z]/g, (letter) => PLAIN.get(letter) ?? letter)
  return normalForm(plain, 'NFD').replace(/[^a-z]/g, '')
}
