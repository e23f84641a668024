import { verbatim } from '@campus/engine/base/languages/say'
import { isRecord } from '@campus/engine/base/narrow'
import { malformed } from '@campus/engine/errors'
import type { EncodedAnswer } from '@campus/engine/rest/encoded-answer'
import { INTERVAL_NAMES } from '@campus/engine/rest/read/graph'
import { type Arguments, readChoice, readNumber, readText, readTexts } from './arguments.ts'
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

export const readingTools = (places: Places): readonly Tool[] => [
  listRecords(places),
  readRecord(places),
  countRecords(places),
  graphRecords(places),
]

/** The properties by which a call selects the records of a list. */
function listSchemas(places: Places) {
  const { resource, within, mine } = namingSchemas(places, 'list')
  const list = { type: 'string', enum: places.namesOf('list'), description: 'Which list, where there are several.' }
  return { resource, within, mine, list, ...SELECTION }
}

const findList = (places: Places, given: Arguments) =>
  places.find('list', { ...readNamed(places, 'list', given, 'list'), id: undefined })

function listRecords(places: Places): Tool {
  const properties = {
    ...listSchemas(places),
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
  return {
    name: 'list_records',
    title: 'List records',
    description: `Lists records of a resource, page by page: filtered, ranged, searched and sorted. ${ONLY_DATA}`,
    inputSchema: inputSchema(properties, 'resource'),
    async call(given, { ask }) {
      const found = findList(places, given)
      const page = readNumber(given, 'page', 1, MAX_PAGE) ?? 1
      const size = readNumber(given, 'per_page', 1, MAX_PER_PAGE) ?? PER_PAGE
      const skip = readNumber(given, 'skip', 0, MAX_PER_PAGE) ?? 0
      const fields = readTexts(given, 'fields')
      const query = { ...readSelection(given, found.route), ...readSort(given), page, per_page: size }
      return pageOf(await ask(found, { query }), { page, skip, fields })
    },
  }
}

type Asked = { readonly page: number; readonly skip: number; readonly fields: readonly string[] | undefined }

/** Returns as many records of a page as fit, at least one, with notes on how to go on. */
function pageOf(answer: EncodedAnswer, { page, skip, fields }: Asked): ToolAnswer {
  const all = [jsonOf(answer)].flat()
  const total = Number(answer.headers['x-total'] ?? all.length)
  const perPage = Number(answer.headers['x-per-page'] ?? all.length)
  const left = all.slice(skip).map((record) => pickFields(record, fields))
  let records = left.slice(0, fittingCount(left))
  const notes: string[] = []
  if (records.length === 0 && left.length > 0) {
    const { value, isCut } = fitted(left[0])
    records = [value]
    if (isCut) notes.push(SHORTENED)
  }
  const shown = skip + records.length
  if (shown < all.length)
    notes.push(
      `Of the ${all.length} records of this page ${records.length} are shown, since an answer has ${MAX_BYTES} bytes at most: go on with page ${page} and skip ${shown}, or name fewer fields.`,
    )
  else if (page * perPage < total) notes.push(`Go on with page ${page + 1}, or ask for fewer by a narrower filter.`)
  return { data: { records, page, per_page: perPage, total }, notes: [...notes, ...noteMissing(left[0], fields)] }
}

const SHORTENED =
  'Long texts and lists in it are cut (…): name the fields that matter, or list what lies within it as a resource of its own.'

/** Returns some fields of a record, which may have a wrapper. */
function pickFields(record: unknown, fields: readonly string[] | undefined): unknown {
  if (!fields || !isRecord(record)) return record
  const [wrapper, ...others] = Object.entries(record)
  if (wrapper && others.length === 0 && isRecord(wrapper[1]) && !fields.includes(wrapper[0]))
    return { [wrapper[0]]: pickFields(wrapper[1], fields) }
  return Object.fromEntries(Object.entries(record).filter(([name]) => fields.includes(name)))
}

/** Names the fields that a record does not have. */
function noteMissing(record: unknown, fields: readonly string[] | undefined): readonly string[] {
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
  return {
    name: 'read_record',
    title: 'Read a record',
    description: `Reads one record, by its id or name, with all that belongs to it. ${ONLY_DATA}`,
    inputSchema: inputSchema(properties, 'resource'),
    async call(given, { ask }) {
      const isPart = readChoice(given, 'part', places.namesOf('part')) !== undefined
      const named = isPart ? readNamed(places, 'part', given, 'part') : readNamed(places, 'read', given)
      const found = places.find(isPart ? 'part' : 'read', named)
      const fields = readTexts(given, 'fields')
      const answer = jsonOf(await ask(found, { query: Object.fromEntries(readParameters(given, found.route)) }))
      const record = pickFields(answer, fields)
      const { value, isCut } = fitted(record)
      return { data: { record: value }, notes: [...(isCut ? [SHORTENED] : []), ...noteMissing(record, fields)] }
    },
  }
}

const countRecords = (places: Places): Tool => ({
  name: 'count_records',
  title: 'Count records',
  description: 'Counts the records of a list, exactly, with the same selection as list_records.',
  inputSchema: inputSchema(listSchemas(places), 'resource'),
  async call(given, { ask }) {
    const found = findList(places, given)
    const answer = await ask(found, { query: { ...readSelection(given, found.route), per_page: 1 } })
    return { data: { count: Number(answer.headers['x-total']) } }
  },
})

function graphRecords(places: Places): Tool {
  const { resource, within, mine } = namingSchemas(places, 'graph')
  const { parameters: _, ...selection } = SELECTION
  const properties = {
    resource,
    within,
    mine,
    field: { type: 'string', description: 'The time to count by; describe_resource lists them.' },
    interval: {
      type: 'string',
      enum: INTERVAL_NAMES,
      description: 'How long each count lasts, or which part of time; needs field.',
    },
    time_zone: { type: 'string', description: 'In which days begin, such as Europe/Paris.' },
    ...selection,
  }
  return {
    name: 'graph_records',
    title: 'Count records over time',
    description: 'Counts records by day, week, month, quarter, year, or hour of the day, day of the week and so on.',
    inputSchema: inputSchema(properties, 'resource'),
    async call(given, { ask }) {
      const field = readText(given, 'field')
      const interval = readChoice(given, 'interval', INTERVAL_NAMES)
      if (interval !== undefined && field === undefined)
        throw malformed(verbatim('The argument interval needs a field to count by'))
      const found = places.find('graph', { ...readNamed(places, 'graph', given), id: undefined, field, interval })
      const zone = readText(given, 'time_zone')
      const query = { ...readSelection(given, found.route), ...(zone !== undefined && { time_zone: zone }) }
      return countsOf(jsonOf(await ask(found, { query })))
    },
  }
}

/** Returns the latest counts that fit. */
function countsOf(answer: unknown): ToolAnswer {
  const all = Object.entries(isRecord(answer) ? answer : {})
  if (bytesOf(answer) <= MAX_BYTES) return { data: { counts: answer } }
  const count = fittingCount(all.toReversed())
  const note = `Of ${all.length} counts the last ${count} are shown: ask for a longer interval, or narrow the time by range.`
  return { data: { counts: Object.fromEntries(all.slice(-count)) }, notes: [note] }
}
