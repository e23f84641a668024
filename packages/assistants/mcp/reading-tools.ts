import { verbatim } from '@campus/engine/base/languages/say'
import { isRecord } from '@campus/engine/base/narrow'
import { malformed } from '@campus/engine/errors'
import type { EncodedAnswer } from '@campus/engine/rest/encoded-answer'
import { INTERVAL_NAMES } from '@campus/engine/rest/read/graph'
import { readArguments, readChoice, readNumber, readText, readTexts } from './arguments.ts'
import { bytesOf, fitted, fittingCount, MAX_BYTES } from './fit.ts'
import { namingSchemas, readNamed } from './naming.ts'
import type { Places } from './places.ts'
import { readParameters, readSelection, readSort, SELECTION } from './selection.ts'
import { inputSchema, jsonOf, ONLY_DATA, type Tool, type ToolAnswer } from './tool.ts'

const PER_PAGE = 20
const MAX_PER_PAGE = 50
const MAX_PAGE = 2_147_483_647

const FIELDS = {
  type: 'array',
  items: { type: 'string' },
  description: 'Only these fields of each record, which leaves room for more records.',
}

/** The tools that read records. */
export const readingTools = (places: Places): readonly Tool[] => [
  listRecords(places),
  readRecord(places),
  countRecords(places),
  graphRecords(places),
]

function listRecords(places: Places): Tool {
  const { resource, within, mine } = namingSchemas(places, 'list')
  const properties = {
    ...{ resource, within, mine },
    list: { type: 'string', enum: places.namesOf('list'), description: 'Which list, where there are several.' },
    ...SELECTION,
    sort: {
      type: 'array',
      items: { type: 'string' },
      description: 'Fields, descending with a minus: ["-created_at"].',
    },
    fields: FIELDS,
    page: { type: 'integer', minimum: 1, default: 1 },
    per_page: { type: 'integer', minimum: 1, maximum: MAX_PER_PAGE, default: PER_PAGE },
    skip: { type: 'integer', minimum: 0, description: 'So many records of the page were shown already.' },
  }
  const known = Object.keys(properties)
  return {
    name: 'list_records',
    title: 'List records',
    description: `Lists records of a resource, page by page: filtered, ranged, searched and sorted. ${ONLY_DATA}`,
    acts: false,
    inputSchema: inputSchema(properties, 'resource'),
    async call(sent, { ask }) {
      const given = readArguments(sent, known)
      const found = places.find('list', { ...readNamed(places, 'list', given, 'list'), id: undefined })
      const page = readNumber(given, 'page', 1, MAX_PAGE) ?? 1
      const size = readNumber(given, 'per_page', 1, MAX_PER_PAGE) ?? PER_PAGE
      const skip = readNumber(given, 'skip', 0, MAX_PER_PAGE) ?? 0
      const fields = readTexts(given, 'fields')
      const query = { ...readSelection(given, found.route), ...readSort(given), page, per_page: size }
      const answer = await ask(found, { query })
      return pageOf(answer, { page, skip, fields })
    },
  }
}

type Asked = { readonly page: number; readonly skip: number; readonly fields: readonly string[] | undefined }

/** As many records of a page as fit, and how to go on. */
function pageOf(answer: EncodedAnswer, { page, skip, fields }: Asked): ToolAnswer {
  const all = [jsonOf(answer)].flat()
  const total = Number(answer.headers['x-total'] ?? all.length)
  const perPage = Number(answer.headers['x-per-page'] ?? all.length)
  const left = all.slice(skip).map((record) => picked(record, fields))
  const count = fittingCount(left)
  const { records, isCut } =
    count === 0 && left.length > 0 ? first(left[0]) : { records: left.slice(0, count), isCut: false }
  const shown = skip + records.length
  const hasMore = page * perPage < total
  const notes = [
    ...(isCut ? [SHORTENED] : []),
    ...(shown < all.length
      ? [
          `Of the ${all.length} records of this page ${records.length} are shown, since an answer has ${MAX_BYTES} bytes at most: go on with page ${page} and skip ${shown}, or name fewer fields.`,
        ]
      : hasMore
        ? [`Go on with page ${page + 1}, or ask for fewer by a narrower filter.`]
        : []),
    ...absent(left, fields),
  ]
  return { data: { records, page, per_page: perPage, total }, notes }
}

const SHORTENED =
  'Long texts and lists in it are cut (…): name the fields that matter, or list what lies within it as a resource of its own.'

function first(record: unknown): { readonly records: readonly unknown[]; readonly isCut: boolean } {
  const { value, isCut } = fitted(record)
  return { records: [value], isCut }
}

/** Some fields of a record, which may stand in a wrapper. */
function picked(record: unknown, fields: readonly string[] | undefined): unknown {
  if (!fields || !isRecord(record)) return record
  const [wrapper, ...others] = Object.entries(record)
  if (wrapper && others.length === 0 && isRecord(wrapper[1]) && !fields.includes(wrapper[0]))
    return { [wrapper[0]]: picked(wrapper[1], fields) }
  return Object.fromEntries(Object.entries(record).filter(([name]) => fields.includes(name)))
}

/** That a field is not there, where the first record shows it. */
function absent(records: readonly unknown[], fields: readonly string[] | undefined): readonly string[] {
  const [record] = records
  if (!fields || !isRecord(record)) return []
  const [only] = Object.values(record)
  const names = new Set([...Object.keys(record), ...(isRecord(only) ? Object.keys(only) : [])])
  const missing = fields.filter((name) => !names.has(name))
  return missing.length > 0
    ? [`There is no field ${missing.map((name) => JSON.stringify(name)).join(', ')} in these records.`]
    : []
}

function readRecord(places: Places): Tool {
  const properties = {
    ...namingSchemas(places, 'read'),
    part: {
      type: 'string',
      enum: places.namesOf('part'),
      description: 'What to read about the record instead of the record itself.',
    },
    parameters: SELECTION.parameters,
    fields: { ...FIELDS, description: 'Only these fields.' },
  }
  const known = Object.keys(properties)
  return {
    name: 'read_record',
    title: 'Read a record',
    description: `Reads one record, by its id or name, with all that belongs to it. ${ONLY_DATA}`,
    acts: false,
    inputSchema: inputSchema(properties, 'resource'),
    async call(sent, { ask }) {
      const given = readArguments(sent, known)
      const part = readChoice(given, 'part', places.namesOf('part'))
      const named = readNamed(
        places,
        part === undefined ? 'read' : 'part',
        given,
        part === undefined ? undefined : 'part',
      )
      const found = places.find(part === undefined ? 'read' : 'part', named)
      const fields = readTexts(given, 'fields')
      const answer = jsonOf(await ask(found, { query: Object.fromEntries(readParameters(given, found.route)) }))
      const record = picked(answer, fields)
      const { value, isCut } = fitted(record)
      return { data: { record: value }, notes: [...(isCut ? [SHORTENED] : []), ...absent([record], fields)] }
    },
  }
}

function countRecords(places: Places): Tool {
  const { resource, within, mine } = namingSchemas(places, 'list')
  const list = { type: 'string', enum: places.namesOf('list'), description: 'Which list, where there are several.' }
  const properties = { resource, within, mine, list, ...SELECTION }
  const known = Object.keys(properties)
  return {
    name: 'count_records',
    title: 'Count records',
    description: 'Counts the records of a list, exactly, with the same selection as list_records.',
    acts: false,
    inputSchema: inputSchema(properties, 'resource'),
    async call(sent, { ask }) {
      const given = readArguments(sent, known)
      const found = places.find('list', { ...readNamed(places, 'list', given, 'list'), id: undefined })
      const answer = await ask(found, { query: { ...readSelection(given, found.route), per_page: 1 } })
      return { data: { count: Number(answer.headers['x-total']) } }
    },
  }
}

function graphRecords(places: Places): Tool {
  const { resource, within, mine } = namingSchemas(places, 'graph')
  const { parameters: _, ...selection } = SELECTION
  const properties = {
    ...{ resource, within, mine },
    field: { type: 'string', description: 'The time to count by; describe_resource lists them.' },
    interval: {
      type: 'string',
      enum: INTERVAL_NAMES,
      description: 'How long each count lasts, or which part of time; needs field.',
    },
    time_zone: { type: 'string', description: 'In which days begin, such as Europe/Paris.' },
    ...selection,
  }
  const known = Object.keys(properties)
  return {
    name: 'graph_records',
    title: 'Count records over time',
    description: 'Counts records by day, week, month, quarter, year, or hour of the day, day of the week and so on.',
    acts: false,
    inputSchema: inputSchema(properties, 'resource'),
    async call(sent, { ask }) {
      const given = readArguments(sent, known)
      const [field, interval] = [readText(given, 'field'), readChoice(given, 'interval', INTERVAL_NAMES)]
      if (interval !== undefined && field === undefined)
        throw malformed(verbatim('The argument interval needs a field to count by'))
      const found = places.find('graph', { ...readNamed(places, 'graph', given), id: undefined, field, interval })
      const zone = readText(given, 'time_zone')
      const query = { ...readSelection(given, found.route), ...(zone !== undefined && { time_zone: zone }) }
      return countsOf(jsonOf(await ask(found, { query })))
    },
  }
}

/** The latest counts that fit: there may be one for each day of many years. */
function countsOf(answer: unknown): ToolAnswer {
  const all = Object.entries(isRecord(answer) ? answer : {})
  if (bytesOf(answer) <= MAX_BYTES) return { data: { counts: answer } }
  const count = fittingCount(all.toReversed())
  const note = `Of ${all.length} counts the last ${count} are shown: ask for a longer interval, or narrow the time by range.`
  return { data: { counts: Object.fromEntries(all.slice(-count)) }, notes: [note] }
}
