import { knownTimeZone, TIME_ZONE_RULE } from '../../../base/time-zones.ts'
import { choiceKind, dateKind, isDay, type Kind, textKind, timeKind, WrongValue } from './kinds.ts'

const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october'],
  ...['november', 'december'],
]

const words = choiceKind(MONTHS)

/** A month by its English name in lower case. Reads any case, and numbers from 1 to 12. */
export const monthKind: Kind<string> = {
  ...words,
  read: (input) => words.read(nameOf(input)),
  readBound: (text) => (words.readBound ?? words.read)(String(nameOf(text))),
}

function nameOf(input: unknown): unknown {
  const text = typeof input === 'string' ? input.trim().toLowerCase() : input
  const number = typeof text === 'number' || (typeof text === 'string' && /^\d{1,2}$/.test(text)) ? Number(text) : 0
  return MONTHS[number - 1] ?? text
}

const text = textKind()

/** A year as a text of four digits, as clients expect it. */
export const yearKind: Kind<string> = {
  ...text,
  schema: { type: 'string', pattern: '^[12][0-9]{3}$', examples: ['2016'] },
  isLong: false,
  read(input) {
    const year = String(text.read(input)).trim()
    if (!/^[12]\d{3}$/.test(year)) throw new WrongValue('must be a year of four digits, such as 2016')
    return year
  },
}

/** A time, or a day as `YYYY-MM-DD` that stands for its first midnight in a zone that the reader chooses. */
export const dayOrTimeKind: Kind<string> = {
  ...text,
  schema: { anyOf: [dateKind.schema, timeKind.schema] },
  read: (input) => (typeof input === 'string' && isDay(input) ? dateKind : timeKind).read(input),
}

export const timeZoneKind: Kind<string> = {
  ...text,
  read(input) {
    const zone = knownTimeZone(input)
    if (zone === undefined) throw new WrongValue(TIME_ZONE_RULE)
    return zone
  },
}
