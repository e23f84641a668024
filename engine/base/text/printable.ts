const MAX_CHARACTERS = 200

/** Control characters and direction marks, except line breaks and tabs. */
const CONTROLS = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

export const printable = (text: string): string =>
  text.slice(0, MAX_CHARACTERS).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ')

export const printableLines = (text: string): string => text.replace(CONTROLS, '\u{fffd}')

export const printableValue = (text: string): string => printableLines(text).replace(/[\n\t]/g, '\u{fffd}')

const printableJson = (value: object): string =>
  JSON.stringify(value).replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

export function print(result: string | object, stream: NodeJS.WritableStream = process.stdout): void {
  stream.write(`${typeof result === 'string' ? printableLines(result) : printableJson(result)}\n`)
}
