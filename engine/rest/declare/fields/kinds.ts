import { inEnglish, type Message, message, verbatim } from '../../../base/languages/say.ts'
import { isOneOf } from '../../../base/narrow.ts'
import { slugError } from '../../../base/text/slugs.ts'
import { zonedTime } from '../../../base/zoned-times.ts'
import type { SqlValue } from '../../../database/sql-value.ts'
import { AnsweredError } from '../../../errors.ts'
import { isParams } from '../../../http/params.ts'
import { jsonText } from './json-text.ts'

export type { SqlValue }

/** Format of a value in JSON, in requests and in the text format of PostgreSQL. */
export type Kind<T extends SqlValue = SqlValue> = {
  readonly sqlType: 'integer' | 'double precision' | 'boolean' | 'text' | 'timestamptz' | 'date'
  readonly schema: JsonSchema
  /** Value of a blank, if not null. */
  readonly blank?: T
  /** Reads a sent JSON value or text that is not blank. Throws WrongValue. */
  read(input: unknown): T
  /** Reads a mirrored value, which clients might not be allowed to write. */
  readMirrored?(input: unknown): T
  /** Reads the value of a filter, if more values are allowed than in a payload. */
  readAsked?(text: string): SqlValue
  /** Reads the bound of a range, if it differs from `readAsked`: the end of a day. */
  readBound?(text: string, side?: 'min' | 'max'): SqlValue
  write(text: string): string
  /** The text may be longer than `SORTED_CHARACTERS`. */
  readonly isLong?: boolean
}

export type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly [keyword: string]: unknown }>>

export type JsonSchema = {
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly embedded?: readonly [resource: string, representation: string]
  readonly schema?: JsonSchema
  readonly content?: Content
  readonly [keyword: string]: unknown
}

/** Error about a value: a predicate such as "is not a number". */
export class WrongValue extends AnsweredError {}

/** Errors inside a nested value, by path relative to the value: `[0].name`. */
export class WrongParts extends WrongValue {
  readonly errors: ReadonlyMap<string, Message>

  constructor(errors: ReadonlyMap<string, Message>) {
    super(verbatim([...errors].map(([path, fault]) => `${path} ${inEnglish(fault)}`).join(', ')))
    this.errors = errors
  }
}

export type PublicAddresses = {
  readonly baseUrl: string
  readonly picturesUrl: string
}

export type WireContext = PublicAddresses & {
  readonly timeZone: string
  now(): Date
  /** Returns an address below `base`, by default `baseUrl`, that opens without a token for a while. */
  signed(path: string, base?: string): string
  /** Returns the time (in milliseconds) until which `signed` returns the same address. */
  signedUntil(): number
}

/** Largest integer of a column, and so the largest id. */
export const MAX_INTEGER = 2_147_483_647
const asIs = (text: string) => text

export const integerKind: Kind<number> = {
  sqlType: 'integer',
  schema: { type: 'integer' },
  read(input) {
    const value = typeof input === 'string' && /^\s*[-+]?\d{1,20}\s*$/.test(input) ? Number(input) : input
    if (typeof value !== 'number' || !Number.isInteger(value)) throw new WrongValue('is not a whole number')
    if (Math.abs(value) > MAX_INTEGER)
      throw new WrongValue(message('must be from {least} to {most}', { least: -MAX_INTEGER, most: MAX_INTEGER }))
    return value
  },
  readAsked(text) {
    if (!/^\s*[-+]?\d+\s*$/.test(text)) throw new WrongValue('is not a whole number')
    // Clamping keeps the comparison: every column lies within these limits.
    return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number(text), Number.MAX_SAFE_INTEGER))
  },
  write: asIs,
}

/** Returns the PostgreSQL type to compare values with. They may be larger than the column allows. */
export const comparedAs = ({ sqlType }: Kind, values: readonly SqlValue[]): string =>
  sqlType === 'integer' && values.some((value) => Math.abs(Number(value)) > MAX_INTEGER) ? 'bigint' : sqlType

export const floatKind: Kind<number> = {
  sqlType: 'double precision',
  schema: { type: 'number' },
  read(input) {
    const value = typeof input === 'string' && input.trim() !== '' ? Number(input) : input
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new WrongValue('is not a number')
    return value
  },
  write: (text) => (/^-?\d/.test(text) ? text : 'null'),
}

const TRUE: readonly unknown[] = [true, 'true', '1', 1, 't', 'on', 'yes']
const FALSE: readonly unknown[] = [false, 'false', '0', 0, 'f', 'off', 'no']

export const booleanKind: Kind<boolean> = {
  sqlType: 'boolean',
  schema: { type: 'boolean' },
  read(input) {
    const value = typeof input === 'string' ? input.trim().toLowerCase() : input
    if (TRUE.includes(value)) return true
    if (FALSE.includes(value)) return false
    throw new WrongValue('is not true or false')
  },
  write: (text) => (text.startsWith('t') ? 'true' : 'false'),
}

const MAX_TEXT = 65_536

/** Texts are sorted by their first 255 characters: an index entry of PostgreSQL cannot hold a long text. */
export const SORTED_CHARACTERS = 255

type TextRules = {
  readonly max?: number | undefined
  readonly pattern?: readonly [RegExp, Message] | undefined
  readonly isOneLine?: boolean | undefined
  /** Stores a blank as an empty text instead of null. */
  readonly mayBeEmpty?: boolean | undefined
  readonly normalize?: ((text: string) => string) | undefined
}

const LINE_BREAKS_AND_CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]/u

export function textKind({
  max = MAX_TEXT,
  pattern,
  isOneLine = false,
  mayBeEmpty = false,
  normalize = asIs,
}: TextRules = {}): Kind<string> {
  const kind: Kind<string> = {
    sqlType: 'text',
    schema: max === MAX_TEXT ? { type: 'string' } : { type: 'string', maxLength: max },
    read(input) {
      const text = normalize(readText(input))
      if ([...text].length > max)
        throw new WrongValue(message('is too long (maximum is {most} characters)', { most: max }))
      if (pattern && !pattern[0].test(text)) throw new WrongValue(pattern[1])
      if (isOneLine && LINE_BREAKS_AND_CONTROLS.test(text))
        throw new WrongValue('must be a single line without control characters')
      return text
    },
    readAsked: (input) => normalize(readText(input)),
    write: jsonText,
    isLong: max > SORTED_CHARACTERS,
    ...(mayBeEmpty && { blank: '' }),
  }
  return isOneLine ? { ...kind, readMirrored: (input) => kind.read(inOneLine(readText(input))) } : kind
}

/** Replaces line breaks and control characters by spaces, since a mirror cannot correct its source. */
const inOneLine = (text: string) => text.replace(/(?:(?!\0)[\p{Cc}\p{Zl}\p{Zp}])+/gu, ' ')

const plainSlug = textKind({ max: 255 })

export const slugKind: Kind<string> = {
  ...plainSlug,
  read(input) {
    const text = String(plainSlug.read(input))
    const fault = slugError(text)
    if (fault !== undefined) throw new WrongValue(fault)
    return text
  },
}

const MAX_TEXTS = 1000

/** A list of texts, or one text for a list of one. */
export const textsKind: Kind<string> = {
  sqlType: 'text',
  schema: { type: 'array', items: { type: 'string' } },
  read(input) {
    const list = Array.isArray(input) ? input : [input]
    if (list.length > MAX_TEXTS) throw new WrongValue(message('holds more than {most} texts', { most: MAX_TEXTS }))
    return JSON.stringify(list.map(readText))
  },
  write: asIs,
}

/** A list of ids, or a text of ids separated by commas. */
export const idsKind: Kind<string> = {
  sqlType: 'text',
  schema: { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: MAX_TEXTS },
  read(input) {
    const list = Array.isArray(input) ? input : String(input).split(',')
    if (list.length > MAX_TEXTS) throw new WrongValue(message('holds more than {most} ids', { most: MAX_TEXTS }))
    const ids = list.filter((id) => id !== '' && id !== null).map((id) => Number(integerKind.read(id)))
    if (ids.some((id) => id < 1)) throw new WrongValue('must be a list of ids')
    return JSON.stringify(ids)
  },
  write: asIs,
}

/** An object that clients send and the service ignores. */
export const objectKind: Kind<null> = {
  sqlType: 'text',
  schema: { type: 'object' },
  read(input) {
    if (!isParams(input)) throw new WrongValue('must be an object')
    return null
  },
  write: asIs,
}

export function choiceKind<const W extends string>(words: readonly W[]): Kind<W> {
  return {
    sqlType: 'text',
    schema: { type: 'string', enum: words },
    read(input) {
      const text = readText(input)
      if (!isOneOf(words, text))
        throw new WrongValue(message('is not included in the list: {words}', { words: words.join(', ') }))
      return text
    },
    readBound: readText,
    write: jsonText,
  }
}

const MAX_OBJECT = 65_536

/** A free-form object, as JSON text. */
export const objectTextKind: Kind<string> = {
  sqlType: 'text',
  schema: { type: 'object', additionalProperties: true },
  read(input) {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) throw new WrongValue('is not an object')
    const text = JSON.stringify(input, requireUnicode)
    if (text.length > MAX_OBJECT)
      throw new WrongValue(message('is too large (maximum is {most} characters as JSON)', { most: MAX_OBJECT }))
    return text
  },
  write: asIs,
}

/** Refuses escaped lone surrogates, which JSON allows and many readers do not. */
function requireUnicode(name: string, value: unknown): unknown {
  const isText = typeof value !== 'string' || value.isWellFormed()
  if (!isText || !name.isWellFormed()) throw new WrongValue('is not valid Unicode')
  return value
}

function readText(input: unknown): string {
  const text = typeof input === 'number' || typeof input === 'boolean' ? String(input) : input
  if (typeof text !== 'string') throw new WrongValue('is not text')
  if (text.includes('\0')) throw new WrongValue('must not contain a null character')
  if (!text.isWellFormed()) throw new WrongValue('is not valid Unicode')
  return text
}

// An unencoded plus in a query arrives as a space.
const TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|UTC|[-+]\d\d(?::?\d\d)?|(?<=\s)\d\d(?::?\d\d)?)?)?$/i

export const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(plainTime(text))

/** The basic format of ISO 8601, such as 20171125T134310Z. */
const BASIC = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(?!\d))?(?=\D|$)/i

const extended = (_basic: string, ...[year, month, day, hour, minute, second = '00']: string[]) =>
  `${year}-${month}-${day}${hour === undefined ? '' : `T${hour}:${minute}:${second}`}`

/** Normalizes a time: removes quotes, and adds missing zeros (`2020-1-01`). */
const plainTime = (text: string): string =>
  text
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .replace(BASIC, extended)
    .replace(/^(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/, (_, year, month, day) =>
      [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
    )

export const isTimeText = (text: string): boolean => TIME.test(plainTime(text))

/** Reads a time without an offset in a time zone. Returns any other text unchanged. */
export function withTimeZone(text: string, timeZone: string): string {
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '0', offset] =
    TIME.exec(plainTime(text)) ?? []
  if (year === undefined || offset !== undefined) return text
  const time = zonedTime(timeZone, `${year}-${month}-${day}`, `${hour}:${minute}:${second}`)
  if (!time || !isRealDay(`${year}-${month}-${day}`)) return text
  return new Date(time.getTime() + Number(fraction.slice(0, 3).padEnd(3, '0'))).toISOString()
}

/** ISO 8601 or `YYYY-MM-DD HH:MM:SS UTC`, in UTC unless it has an offset. Written with milliseconds and `Z`. */
export const timeKind: Kind<string> = {
  sqlType: 'timestamptz',
  schema: { type: 'string', format: 'date-time' },
  read(input) {
    const match = typeof input === 'string' ? TIME.exec(plainTime(input)) : null
    if (!match) throw new WrongValue('is not an ISO 8601 time such as 2017-11-25T13:43:10Z')
    const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '0', offset = 'Z'] = match
    const zone = /^(z|utc)$/i.test(offset) ? 'Z' : offset.replace(/^([-+]?)(\d\d):?(\d\d)?$/, signed)
    const milliseconds = fraction.slice(0, 3).padEnd(3, '0')
    const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${zone}`)
    if (Number.isNaN(time.getTime()) || !isRealDay(`${year}-${month}-${day}`) || outOfRange(time)) {
      throw new WrongValue('is not a time that exists')
    }
    return time.toISOString()
  },
  /** The maximum of a range includes the whole day. */
  readBound: (text, side) => timeKind.read(side === 'max' && isDay(text) ? `${plainTime(text)}T23:59:59.999Z` : text),
  // '2017-11-22 13:41:00.12+00', with a T if it comes from JSON, and without zeros at the end.
  write(text) {
    const fraction = text[19] === '.' ? text.slice(20, text.indexOf('+', 20)).padEnd(3, '0') : '000'
    return `"${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z"`
  },
}

const signed = (_offset: string, sign: string, hours: string, minutes = '00') => `${sign || '+'}${hours}:${minutes}`

const outOfRange = (time: Date) => time.getUTCFullYear() < 1 || time.getUTCFullYear() > 9999

export const dateKind: Kind<string> = {
  sqlType: 'date',
  schema: { type: 'string', format: 'date' },
  read(input) {
    const text = typeof input === 'string' ? plainTime(input) : ''
    const day = text.slice(0, 10)
    if (!TIME.test(text) || !isRealDay(day)) throw new WrongValue('is not a date such as 2017-11-25')
    return day
  },
  write: (text) => `"${text}"`,
}

function isRealDay(day: string): boolean {
  const time = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day)
}

/** A date written as its first midnight in a time zone: `2024-07-01T00:00:00.000+02:00`. */
export function zonedDateKind(timeZone: string): Kind<string> {
  return {
    ...dateKind,
    schema: { type: 'string', format: 'date-time' },
    write: (text) => `"${text}T00:00:00.000${offsetAt(text, timeZone)}"`,
  }
}

const offsets = new Map<string, string>()

/** Returns the offset at midnight. It may differ from the offset at midnight of UTC. */
function offsetAt(day: string, timeZone: string): string {
  const key = `${timeZone} ${day}`
  const known = offsets.get(key)
  if (known) return known
  const near = offsetOf(new Date(`${day}T00:00:00Z`), timeZone)
  const offset = offsetOf(new Date(`${day}T00:00:00${near}`), timeZone)
  if (offsets.size > 10_000) offsets.clear()
  offsets.set(key, offset)
  return offset
}

function offsetOf(time: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(time)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  return name === 'GMT' ? '+00:00' : name.slice('GMT'.length)
}
