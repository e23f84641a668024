import { IntlMessageFormat } from 'intl-messageformat'
import { isRecord } from '../narrow.ts'
import { language } from './language.ts'
import { ENGLISH, isMessageKey, type Language, languageFile, type MessageKey } from './languages.ts'

/** A value of a message: another message is text in the language of the reader, a text as it stands. */
export type MessageValue = string | number | FilledMessage
export type MessageValues = Readonly<Record<string, MessageValue>>

export type FilledMessage = { readonly key: MessageKey; readonly values: MessageValues }

/** A text in the reader's language: a key with its values, or a key without values. */
export type Message = MessageKey | FilledMessage

/** A key among the values would be taken for a text, so the compiler wants `message(key)` there. */
type NoKeys<V> = [Extract<V, MessageKey>] extends [never] ? unknown : 'wrap it in message()'

/** A message with its values. */
export const message = <V extends MessageValue = never>(
  key: MessageKey,
  values?: Readonly<Record<string, V>> & NoKeys<V>,
): FilledMessage => ({ key, values: values ?? {} })

/** A message as a value of another. */
export const filled = (text: Message): FilledMessage => (typeof text === 'string' ? message(text) : text)

/** Reports whether a value that another process sent is a message. */
export const isFilledMessage = (value: unknown): value is FilledMessage =>
  isRecord(value) &&
  isMessageKey(value.key) &&
  isRecord(value.values) &&
  Object.values(value.values).every((one) => typeof one === 'string' || typeof one === 'number' || isFilledMessage(one))

/** A text that is the same in every language, such as another program's answer. */
export const verbatim = (text: string): FilledMessage => message('{text}', { text })

/** A message in the language of its reader. */
export const say = <V extends MessageValue = never>(
  text: Message,
  values?: Readonly<Record<string, V>> & NoKeys<V>,
): string => write(language(), text, values)

/** A message as the API answers it and the log has it. */
export const inEnglish = (text: Message): string => write(ENGLISH, text)

/** A message in its parts, where values are more than text. */
export const partsOf = <Value>(key: MessageKey, values: Readonly<Record<string, Value>>): readonly (string | Value)[] =>
  formatOf(language(), key)
    .formatToParts<Value>(values)
    .map(({ value }) => value)

function write(to: Language, text: Message, values?: MessageValues): string {
  if (typeof text !== 'string') return write(to, text.key, text.values)
  if (values === undefined) return textOf(to, text)
  const written = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'object' ? write(to, value) : value,
  ])
  return String(formatOf(to, text).format(Object.fromEntries(written)))
}

const textOf = (to: Language, key: MessageKey): string => languageFile(to).texts[key] ?? key

const formats = new Map<string, IntlMessageFormat>()

/** Made once: the texts of all languages are as many as they are. */
function formatOf(to: Language, key: MessageKey): IntlMessageFormat {
  const known = formats.get(`${to} ${key}`)
  if (known) return known
  const { locale } = languageFile(to)
  const format = new IntlMessageFormat(textOf(to, key), locale, undefined, { ignoreTag: true })
  formats.set(`${to} ${key}`, format)
  return format
}
