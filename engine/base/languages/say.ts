import { IntlMessageFormat } from 'intl-messageformat'
import { isRecord } from '../narrow.ts'
import { type Dictionary, dictionary, ENGLISH_DICTIONARY, type MessageKey } from './dictionary.ts'

/** A value of a message: another message is text in the language of the reader, a text as it stands. */
export type MessageValue = string | number | FilledMessage
export type MessageValues = Readonly<Record<string, MessageValue>>

export type FilledMessage = { readonly key: MessageKey; readonly values: MessageValues }

/** A text in the reader's language: a key with its values, or a key without values. */
export type Message = MessageKey | FilledMessage

/** A key among the values would be taken for a text, so the compiler wants `message(key)` there. */
type NoKeys<V> = string extends MessageKey
  ? unknown
  : [Extract<V, MessageKey>] extends [never]
    ? unknown
    : 'wrap it in message()'

/** A message with its values. */
export const message = <V extends MessageValue = never>(
  key: MessageKey,
  values?: Readonly<Record<string, V>> & NoKeys<V>,
): FilledMessage => ({ key, values: values ?? {} })

/** A message as a value of another. */
export const filled = (text: Message): FilledMessage => (typeof text === 'string' ? message(text) : text)

/** Maximum length of a text from another process. */
const MAX_TEXT = 2_000

/** Reports whether a value is a text in the form of a message, so that it can be said. */
function isText(value: unknown): value is MessageKey {
  if (typeof value !== 'string' || value.length > MAX_TEXT) return false
  try {
    return new IntlMessageFormat(value, 'en', undefined, FORMAT_OPTIONS) !== undefined
  } catch {
    return false
  }
}

/** Reports whether a value that another process sent is a message. */
export const isFilledMessage = (value: unknown): value is FilledMessage =>
  isRecord(value) &&
  isText(value.key) &&
  isRecord(value.values) &&
  Object.values(value.values).every((one) => typeof one === 'string' || typeof one === 'number' || isFilledMessage(one))

/** A text that is the same in every language, such as another program's answer. */
export const verbatim = (text: string): FilledMessage => message('{text}', { text })

/** A message in the language of its reader. */
export const say = <V extends MessageValue = never>(
  text: Message,
  values?: Readonly<Record<string, V>> & NoKeys<V>,
): string => write(dictionary(), text, values)

/** A message as the API answers it and the log has it. */
export const inEnglish = (text: Message): string => write(ENGLISH_DICTIONARY, text)

/** A message in its parts, where values are more than text. */
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

/** Tags such as `<b>` are text. */
const FORMAT_OPTIONS = { ignoreTag: true }

/** More than the texts of all languages. Texts from other processes may be any. */
const MAX_FORMATS = 20_000

const formats = new Map<string, IntlMessageFormat>()

/** Returns the format of a text. Formats are kept, since they are costly to make. */
function formatOf(to: Dictionary, key: MessageKey): IntlMessageFormat {
  const known = formats.get(`${to.code} ${key}`)
  if (known) return known
  const format = new IntlMessageFormat(textOf(to, key), to.locale, undefined, FORMAT_OPTIONS)
  if (formats.size >= MAX_FORMATS) formats.clear()
  formats.set(`${to.code} ${key}`, format)
  return format
}
