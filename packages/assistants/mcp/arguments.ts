import { verbatim } from '@campus/engine/base/languages/say'
import { isRecord } from '@campus/engine/base/narrow'
import { nearest } from '@campus/engine/base/text/nearest'
import { malformed } from '@campus/engine/errors'

/** The arguments of a call. Each reader throws 400 with the expected value. */
export type Arguments = Readonly<Record<string, unknown>>

const MAX_NAME = 300
const MAX_VALUE = 4000
const MAX_MEMBERS = 50
/** Names of fields. Brackets would begin another level of a query. */
const FIELD = /^[\w?./-]{1,100}$/

const wrong = (name: string, fault: string) => malformed(verbatim(`The argument ${name} ${fault}.`))

/** Returns the arguments. Refuses other names than the known ones. */
export function readArguments(given: unknown, known: readonly string[]): Arguments {
  if (given === undefined || given === null) return {}
  if (!isRecord(given)) throw malformed(verbatim('The arguments must be an object.'))
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const near = nearest(unknown, known)
    const hint = near === undefined ? `The arguments are ${known.join(', ') || 'none'}.` : `Did you mean "${near}"?`
    throw malformed(verbatim(`There is no argument ${JSON.stringify(unknown.slice(0, 60))}. ${hint}`))
  }
  return given
}

const present = (given: Arguments, name: string): unknown => {
  const value = Object.hasOwn(given, name) ? given[name] : undefined
  return value === null ? undefined : value
}

/** Reads a text or a number as text. */
export function readText(given: Arguments, name: string, maxLength = MAX_NAME): string | undefined {
  const value = present(given, name)
  if (value === undefined) return undefined
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !text.isWellFormed()) throw wrong(name, 'must be a text')
  if (text.length > maxLength) throw wrong(name, `is too long: ${maxLength} characters at most`)
  return text
}

export function requireText(given: Arguments, name: string, maxLength = MAX_NAME): string {
  const text = readText(given, name, maxLength)
  if (text === undefined || text.trim() === '') throw wrong(name, 'is missing')
  return text
}

export function readChoice(given: Arguments, name: string, choices: readonly string[]): string | undefined {
  const text = readText(given, name)
  if (text === undefined || choices.includes(text)) return text
  const near = nearest(text, choices)
  const hint = near === undefined ? `must be one of ${choices.join(', ')}` : `is unknown; did you mean "${near}"?`
  throw malformed(verbatim(`The argument ${name} ${hint}`))
}

export function requireChoice(given: Arguments, name: string, choices: readonly string[]): string {
  const choice = readChoice(given, name, choices)
  if (choice === undefined) throw wrong(name, `is missing: one of ${choices.join(', ')}`)
  return choice
}

export function readFlag(given: Arguments, name: string): boolean {
  const value = present(given, name)
  if (value === undefined) return false
  if (typeof value !== 'boolean') throw wrong(name, 'must be true or false')
  return value
}

export function readNumber(given: Arguments, name: string, min: number, max: number): number | undefined {
  const value = present(given, name)
  if (value === undefined) return undefined
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isInteger(number) || number < min || number > max)
    throw wrong(name, `must be a whole number from ${min} to ${max}`)
  return number
}

/** Reads a list of texts. A text with commas is a list. */
export function readTexts(given: Arguments, name: string): readonly string[] | undefined {
  const value = present(given, name)
  if (value === undefined) return undefined
  const list: readonly unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value]
  const texts = list.map((one) => {
    if (typeof one !== 'string' || !one.isWellFormed() || one.length > MAX_NAME)
      throw wrong(name, 'must be a list of short texts')
    return one.trim()
  })
  if (texts.length > MAX_MEMBERS) throw wrong(name, `has too many members: ${MAX_MEMBERS} at most`)
  return texts
}

export function readObject(given: Arguments, name: string): Readonly<Record<string, unknown>> | undefined {
  const value = present(given, name)
  if (value === undefined) return undefined
  if (!isRecord(value)) throw wrong(name, 'must be an object')
  return value
}

/** Reads values by name for a query, with lists joined by commas. */
export function readValues(given: Arguments, name: string): readonly (readonly [string, string])[] {
  const members = Object.entries(readObject(given, name) ?? {})
  if (members.length > MAX_MEMBERS) throw wrong(name, `has too many members: ${MAX_MEMBERS} at most`)
  return members.map(([key, value]) => {
    if (!FIELD.test(key)) throw wrong(name, `has ${JSON.stringify(key.slice(0, 60))}, which is no name of a field`)
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    const text = values.map((one) => wordOf(name, one)).join(',')
    if (!text.isWellFormed()) throw wrong(name, 'must hold texts that are well formed')
    if (text.length > MAX_VALUE) throw wrong(name, `has a value that is too long: ${MAX_VALUE} characters at most`)
    return [key, text]
  })
}

/** Writes a value for a query, in which an empty text stands for null. */
function wordOf(name: string, value: unknown): string {
  if (value === null) return ''
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw wrong(name, 'must hold texts, numbers, true or false, or lists of these')
}
