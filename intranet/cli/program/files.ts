import { ConfigError } from '@campus/engine/base/config-error'
import { defined } from '@campus/engine/base/defined'
import { knownTimeZone } from '@campus/engine/base/time-zones'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { columnsOf, counted, listOf } from '../../server/columns.ts'
import { databaseCommand, type Result } from '../../server/database-command.ts'
import type { ExportValues } from '../export-command.ts'
import type { ImportValues } from '../import-command.ts'
import { requireFile, requireWritable } from '../named-files.ts'
import type { WatchValues } from '../watch-command.ts'
import { append } from './values.ts'

const format = () => new Option('--format <format>', 'by the name of the file unless said').choices(['csv', 'ndjson'])

/** `campus import`, `campus export` and `campus watch`. */
export const fileCommands = [
  databaseCommand<ImportValues>({
    name: 'import',
    about: 'import the rows of a CSV or NDJSON file, checked as the API checks what is sent to it',
    examples: [
      'campus import users people.csv --dry-run',
      'campus import users people.csv --mapping people.json --key Matricule',
    ],
    flags: (command) =>
      command
        .argument('<resource>', 'such as users or cursus_users')
        .argument('<file>')
        .option('--mapping <file>', 'JSON that says which column is which field; the names of the columns unless given')
        .option('--key <column>', 'the column by which a row is known again, so that nothing is imported twice')
        .option('--own-ids', 'the column id has the ids of the records, as in exports; unknown ids create records')
        .addOption(
          new Option('--all-or-nothing', 'import nothing where a row has a fault (the default)').conflicts('goodRows'),
        )
        .option('--good-rows', 'import the rows without faults; needs a key')
        .option('--dry-run', 'propose a mapping, try all rows and keep nothing')
        .option('--without-webhooks', 'tell the campuses nothing of new and changed people')
        .addOption(format())
        .option('--encoding <name>', 'such as windows-1252, mac-roman or utf-16; UTF-8 unless said')
        .option(
          '--time-zone <zone>',
          'the IANA zone of times without a zone, such as Europe/Paris; CAMPUS_TIME_ZONE unless said',
          readTimeZone,
        )
        .option('--delimiter <character>', 'what stands between cells; found by the first lines unless said'),
    async values({ resource, file, mapping, key, format, encoding, delimiter, timeZone, ...typed }) {
      for (const named of [file, ...(mapping === undefined ? [] : [mapping])]) await requireFile(named)
      return {
        resource,
        file,
        format,
        encoding,
        timeZone,
        delimiter: delimiter === '\\t' ? '\t' : delimiter,
        mappingFile: mapping,
        key,
        hasOwnIds: typed.ownIds === true,
        takesGoodRows: typed.goodRows === true,
        isTrial: typed.dryRun === true,
        sendsWebhooks: typed.withoutWebhooks !== true,
      }
    },
    title: () => 'Importing',
    run: async (...given) => (await import('../import-command.ts')).importForCommand(...given),
    hasFailed: ({ faulty, unfilled }) => Number(faulty) > 0 || [unfilled].flat().length > 0,
    text: describeImport,
  }),
  databaseCommand<ExportValues>({
    name: 'export',
    about: 'write the whole of a list as CSV or NDJSON, into a file or to standard output',
    examples: [
      'campus export users people.csv --filter kind=student --sort login',
      'campus export locations --format ndjson',
    ],
    flags: (command: Command) =>
      command
        .argument('<resource>', 'such as users or cursus_users')
        .argument('[file]')
        .addOption(format())
        .option('--filter <field=values>', 'as filter[field] of the API; may be repeated', append)
        .option('--range <field=min,max>', 'as range[field] of the API; may be repeated', append)
        .option('--search <field=text>', 'as search[field] of the API; may be repeated', append)
        .option('--sort <fields>', 'as sort of the API'),
    async values({ resource, file, format, filter, range, search, sort }) {
      const asked = parameters({ filter, range, search })
      const query = [...asked, ...(sort === undefined ? [] : [`sort=${encodeURIComponent(sort)}`])].join('&')
      if (file !== undefined) await requireWritable(file)
      return { resource, file, query, format: format ?? formatOf(file) }
    },
    title: () => 'Exporting',
    writesOutput: ({ file }) => file === undefined,
    run: async (...given) => (await import('../export-command.ts')).exportForCommand(...given),
    text: ({ records, file, base_url: base }) =>
      `Wrote ${counted(records, 'record')} into ${file}.${base === null ? '' : ` Its addresses begin with ${base}: set CAMPUS_BASE_URL where people reach the service elsewhere.`}`,
  }),
  databaseCommand<WatchValues>({
    name: 'watch',
    about: 'print what happens to the records of a list, until it is ended',
    examples: ['campus watch locations --campus 1', 'campus watch users --filter kind=student --json'],
    flags: (command: Command) =>
      command
        .argument('<resource>', 'such as locations or scale_teams')
        .option('--campus <id>', 'as --filter campus_id=<id>')
        .option('--filter <field=values>', 'as filter[field] of the API; may be repeated', append)
        .option('--range <field=min,max>', 'as range[field] of the API; may be repeated', append)
        .option('--search <field=text>', 'as search[field] of the API; may be repeated', append),
    async values({ resource, campus, filter = [], range, search, json }) {
      const all = campus === undefined ? filter : [...filter, `campus_id=${campus}`]
      return { resource, query: parameters({ filter: all, range, search }).join('&'), json: json === true }
    },
    writesOutput: () => true,
    async run(context, values) {
      const { watchForCommand } = await import('../watch-command.ts')
      return watchForCommand(context, values)
    },
    text: () => '',
  }),
]

/** Returns the format that the name of a file implies, or CSV for standard output. */
function formatOf(file: string | undefined): 'csv' | 'ndjson' {
  if (file === undefined || /\.csv$/i.test(file)) return 'csv'
  if (/\.(ndjson|jsonl)$/i.test(file)) return 'ndjson'
  throw new ConfigError(`The name of ${file} does not say what is to be in it: --format csv or --format ndjson does.`)
}

/** Returns selections as parameters of a query. */
const parameters = (selections: Readonly<Record<string, readonly string[] | undefined>>): readonly string[] =>
  Object.entries(selections).flatMap(([name, list]) => (list ?? []).map((text) => parameter(name, text)))

/** Returns `kind=student` as the parameter `filter[kind]=student`. */
function parameter(name: string, text: string): string {
  const [field, ...value] = text.split('=')
  if (value.length === 0) throw new InvalidArgumentError(`--${name} needs a field and a value: --${name} kind=student.`)
  return `${name}[${encodeURIComponent(defined(field))}]=${encodeURIComponent(value.join('='))}`
}

function readTimeZone(text: string): string {
  const zone = knownTimeZone(text)
  if (zone === undefined) throw new InvalidArgumentError('Give the IANA name of a time zone, such as Europe/Paris.')
  return zone
}

const ERROR_COLUMNS = { line: 'line', column: 'column', fault: 'what is wrong' }

async function describeImport(result: Result): Promise<string> {
  const { isTrial, isKept, rows, short, created, updated, unchanged, faulty, untold: omitted, mapping } = result
  const faults = listOf(result.faults)
  const unfilled = [result.unfilled].flat()
  const noRows = `No row was tried: every record needs ${unfilled.join(', ')}, which no column is by this mapping.`
  const counts = `${rows} rows: ${created} new, ${updated} changed, ${unchanged} as they were, ${faulty} with faults.`
  const what = isTrial ? 'Nothing was kept, as asked.' : isKept ? '' : 'Nothing was imported, since rows have faults.'
  return [
    ...(isTrial ? ['The mapping, to be kept in a file and given by --mapping:', JSON.stringify(mapping, null, 2)] : []),
    ...(faults.length > 0 ? [await columnsOf(groupedErrors(faults), ERROR_COLUMNS)] : []),
    ...(Number(omitted) > 0 ? [`${omitted} more faults are not shown.`] : []),
    ...(Number(short) > 0
      ? [`${counted(short, 'row')} with fewer cells than the first line: the last cells are empty.`]
      : []),
    unfilled.length > 0 ? noRows : [counts, what].filter(Boolean).join(' '),
  ].join('\n')
}

/** Maximum number of rows shown for each fault, so that they do not hide others. `--json` has all. */
const SHOWN_OF_A_KIND = 10

/** Groups the rows with the same fault. */
function groupedErrors(faults: readonly Result[]): readonly Result[] {
  const kindOf = ({ column, fault }: Result) => JSON.stringify([column, fault])
  const seen = new Map<string, number>()
  const shown = faults.filter((fault) => {
    const times = (seen.get(kindOf(fault)) ?? 0) + 1
    seen.set(kindOf(fault), times)
    return times <= SHOWN_OF_A_KIND
  })
  const more = [...new Map(shown.map((fault) => [kindOf(fault), fault])).entries()].flatMap(([kind, fault]) => {
    const rest = (seen.get(kind) ?? 0) - SHOWN_OF_A_KIND
    return rest > 0 ? [{ ...fault, line: `${rest} more` }] : []
  })
  return [...shown, ...more]
}
