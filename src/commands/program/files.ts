import { type Command, InvalidArgumentError, Option } from 'commander'
import { ConfigError } from '../../config.ts'
import { defined } from '../../defined.ts'
import { requireFile, requireWritable } from '../named-files.ts'
import { withExamples } from './examples.ts'
import { command, type Run } from './run.ts'
import { append } from './values.ts'

/** `campus import` and `campus export`: tables in and out. */
export function addFileCommands(program: Command, run: Run): void {
  const format = () => new Option('--format <format>', 'by the name of the file unless said').choices(['csv', 'ndjson'])
  withExamples(
    command(program, 'import'),
    'campus import users people.csv --dry-run',
    'campus import users people.csv --mapping people.json --key Matricule',
  )
    .description('import the rows of a CSV or NDJSON file, checked as the API checks what is sent to it')
    .argument('<resource>', 'such as users or cursus_users')
    .argument('<file>')
    .option('--mapping <file>', 'JSON that says which column is which field; the names of the columns unless given')
    .option('--key <column>', 'the column by which a row is known again, so that nothing is imported twice')
    .option('--own-ids', 'the column id has ids of this service, as in its exports')
    .addOption(
      new Option('--all-or-nothing', 'import nothing where a row has a fault (the default)').conflicts('goodRows'),
    )
    .option('--good-rows', 'import the rows without faults; needs a key')
    .option('--dry-run', 'propose a mapping, try all rows and keep nothing')
    .option('--without-webhooks', 'tell the campuses nothing of new and changed people')
    .addOption(format())
    .option('--encoding <name>', 'such as windows-1252; UTF-8 unless said')
    .option('--delimiter <character>', 'what stands between cells; found by the first line unless said')
    .action(async (resource, file, options) => {
      const {
        mapping,
        key,
        ownIds,
        allOrNothing: _,
        goodRows,
        dryRun,
        withoutWebhooks,
        format,
        encoding,
        ...rest
      } = options
      const { delimiter, ...flags } = rest
      for (const named of [file, ...(mapping === undefined ? [] : [mapping])]) await requireFile(named)
      const reading = { format, encoding, delimiter: delimiter === '\\t' ? '\t' : delimiter, mappingFile: mapping, key }
      const takes = { hasOwnIds: ownIds === true, takesGoodRows: goodRows === true, isTrial: dryRun === true }
      return run('import', { resource, file, ...reading, ...takes, sendsWebhooks: withoutWebhooks !== true }, flags)
    })

  withExamples(
    command(program, 'export'),
    'campus export users people.csv --filter kind=student --sort login',
    'campus export locations --format ndjson',
  )
    .description('write the whole of a list as CSV or NDJSON, into a file or to standard output')
    .argument('<resource>', 'such as users or cursus_users')
    .argument('[file]')
    .addOption(format())
    .option('--filter <field=values>', 'as filter[field] of the API; may be repeated', append)
    .option('--range <field=min,max>', 'as range[field] of the API; may be repeated', append)
    .option('--search <field=text>', 'as search[field] of the API; may be repeated', append)
    .option('--sort <fields>', 'as sort of the API')
    .action(async (resource, file, { format, filter, range, search, sort, ...flags }) => {
      const asked = Object.entries({ filter, range, search }).flatMap(([name, list]) =>
        (list ?? []).map((text: string) => parameter(name, text)),
      )
      const query = [...asked, ...(sort === undefined ? [] : [`sort=${encodeURIComponent(sort)}`])].join('&')
      if (file !== undefined) await requireWritable(file)
      return run('export', { resource, file, query, format: format ?? formatOf(file) }, flags)
    })
}

/** What the name of a file says; a table on standard output. */
function formatOf(file: string | undefined): 'csv' | 'ndjson' {
  if (file === undefined || /\.csv$/i.test(file)) return 'csv'
  if (/\.(ndjson|jsonl)$/i.test(file)) return 'ndjson'
  throw new ConfigError(`The name of ${file} does not say what is to be in it: --format csv or --format ndjson does.`)
}

/** `kind=student` as a parameter of a query: `filter[kind]=student`. */
function parameter(name: string, text: string): string {
  const [field, ...value] = text.split('=')
  if (value.length === 0) throw new InvalidArgumentError(`--${name} needs a field and a value: --${name} kind=student.`)
  return `${name}[${encodeURIComponent(defined(field))}]=${encodeURIComponent(value.join('='))}`
}
