const MAX_CHARACTERS = 200

/** What moves the cursor, opens a link, rings or has the text beside it read in another order; not line ends and tabs. */
const CONTROLS = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** The beginning of a text from outside, in one line, with nothing that acts on a terminal. */
export const printable = (text: string): string =>
  text.slice(0, MAX_CHARACTERS).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ')

/** A text of several lines, with nothing that acts on a terminal. */
export const printableLines = (text: string): string => text.replace(CONTROLS, '\u{fffd}')

/** A value that people wrote, in one line, with nothing that acts on a terminal. */
export const printableValue = (text: string): string => printableLines(text).replace(/[\n\t]/g, '\u{fffd}')

/** The JSON of a value, of which a terminal shows all: what would act on it is written as its number. */
export const printableJson = (value: object): string =>
  JSON.stringify(value).replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Writes a line of text, or an object as a line of JSON. */
export function print(result: string | object, stream: NodeJS.WritableStream = process.stdout): void {
  stream.write(`${typeof result === 'string' ? printableLines(result) : printableJson(result)}\n`)
}
