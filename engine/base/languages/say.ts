import { IntlMessageFormat } from 'intl-messageformat'
import { isRecord } from '../narrow.ts'
import { type Dictionary, dictionary, ENGLISH_DICTIONARY, type MessageKey } from './dictionary.ts'

/** A nested message is translated. A string stays as it is. */
export type MessageValue = string | number | FilledMessage
export type MessageValues = Readonly<Record<string, MessageValue>>

export type FilledMessage = { readonly key: MessageKey; readonly values: MessageValues }

export type Message = MessageKey | FilledMessage

/** Rejects a key as a value, which would not be translated. */
type NoKeys<V> = string extends MessageKey
  ? unknown
  : [Extract<V, MessageKey>] extends [never]
    ? unknown
    : 'wrap it in message()'

export const message = <V extends MessageValue = never>(
  key: MessageKey,
  values?: Readonly<Record<string, V>> & NoKeys<V>,
): FilledMessage => ({ key, values: values ?? {} })

export const filled = (text: Message): FilledMessage => (typeof text === 'string' ? message(text) : text)

const MAX_TEXT = 2_000

function isText(value: unknown): value is MessageKey {
  if (typeof value !== 'string' || value.length > MAX_TEXT) return false
  try {
    return new IntlMessageFormat(value, 'en', undefined, FORMAT_OPTIONS) !== undefined
  } catch {
    return false
  }
}

export const isFilledMessage = (value: unknown): value is FilledMessage =>
  isRecord(value) &&
  isText(value.key) &&
  isRecord(value.values) &&
  Object.values(value.values).every((one) => typeof one === 'string' || typeof one === 'number' || isFilledMessage(one))

/** Makes a message of a text that is not translated, such as another program's answer. */
export const verbatim = (text: string): FilledMessage => message('{text}', { text })

export const say = <V extends MessageValue = never>(
  text: Message,
  values?: Readonly<Record<string, V>> & NoKeys<V>,
): string => write(dictionary(), text, values)

export const inEnglish = (text: Message): string => write(ENGLISH_DICTIONARY, text)

export const partsOf = <Value>(key: MessageKey, values: Readonly<Record<string, Value>>): readonly (string | Value)[] =>
  formatOf(dictionary(), key)
    .formatToParts<Value>(values)
    .map(({ value }) => value)

function write(to: Dictionary, text: Message, values?: MessageValues): string {
  if (typeof text !== 'string') return write(to, text.key, text.values)
  if (values === undefined) return textOf(to, text)
  const written = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'object' ? write(to, value) : value,
  ])
  return String(formatOf(to, text).format(Object.fromEntries(written)))
}

const textOf = (to: Dictionary, key: MessageKey): string =>
  (Object.hasOwn(to.texts, key) ? to.texts[key] : undefined) ?? key

const FORMAT_OPTIONS = { ignoreTag: true }

/** Exceeds the number of texts in all languages. Bounds the texts that other processes send. */
const MAX_FORMATS = 20_000

const formats = new Map<string, IntlMessageFormat>()

function formatOf(to: Dictionary, key: MessageKey): IntlMessageFormat {
  const known = formats.get(`${to.code} ${key}`)
  if (known) return known
  const format = new IntlMessageFormat(textOf(to, key), to.locale, undefined, FORMAT_OPTIONS)
  if (formats.size >= MAX_FORMATS) formats.clear()
  formats.set(`${to.code} ${key}`, format)
  return format
}
