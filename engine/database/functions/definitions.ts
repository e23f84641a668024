/** A function of the database, in the words in which PostgreSQL shows it, so that both can be compared. */
export type SqlFunction = {
  readonly name: string
  /** Names and types, such as `moment timestamp with time zone`. */
  readonly parameters?: string
  /** A type; `trigger` unless said. */
  readonly returns?: string
  /** PL/pgSQL unless said. */
  readonly language?: 'sql' | 'plpgsql'
  readonly isStable?: boolean
  /** Whether it gives the same for the same whatever the database holds: then indexes may be made of it. */
  readonly isImmutable?: boolean
  /** What the planner takes a call to cost, in its own units; 100 unless said. */
  readonly cost?: number
  /** Settings of PostgreSQL while it runs. */
  readonly settings?: Readonly<Record<string, string>>
  readonly body: string
  /** Recounts what the function counts; runs after it was written, and after the triggers. */
  readonly recount?: string
}

export type SqlTrigger = {
  readonly name: string
  readonly table: string
  /** When it runs, such as `after insert`. */
  readonly on: string
  /** In SQL on the rows `old` and `new`; without it the trigger runs for every row. */
  readonly condition?: string
  /** Whether it runs once for each statement, whatever that changes. */
  readonly isForStatement?: boolean
  /** The tables of all rows that a statement changed, such as `new table as changed`: it runs once for them, not for each. */
  readonly transitions?: string
  /** The call of its function. */
  readonly call: string
  /** Whether it runs where replication writes, too. */
  readonly isAlways?: boolean
  /** Whether it runs when the transaction commits, and so sees its outcome. */
  readonly isDeferred?: boolean
}

/** The function as `pg_get_functiondef` shows it, which is also the statement that makes it. */
export const functionText = ({
  name,
  parameters = '',
  returns = 'trigger',
  language = 'plpgsql',
  settings = {},
  body,
  ...traits
}: SqlFunction): string =>
  `CREATE OR REPLACE FUNCTION public.${name}(${parameters})
 RETURNS ${returns}
 LANGUAGE ${language}
${traitLine(traits)}${settingLines(settings)}AS $function$${body}$function$
`

function traitLine({ isStable, isImmutable, cost }: Partial<SqlFunction>): string {
  const traits = [isStable && 'STABLE', isImmutable && 'IMMUTABLE PARALLEL SAFE', cost && `COST ${cost}`].filter(
    Boolean,
  )
  return traits.length === 0 ? '' : ` ${traits.join(' ')}\n`
}

const settingLines = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings)
    .map(([name, value]) => ` SET ${name} TO '${value}'\n`)
    .join('')

/** The statement that makes the trigger. */
export const triggerText = ({ name, table, on, call, isDeferred, ...trigger }: SqlTrigger): string =>
  `create ${isDeferred ? 'constraint ' : ''}trigger ${name} ${on} on ${table} ${isDeferred ? 'deferrable initially deferred ' : ''}
   ${forEach(trigger)} execute function ${call}`

function forEach({ condition, isForStatement, transitions }: Partial<SqlTrigger>): string {
  if (transitions) return `referencing ${transitions} for each statement`
  if (isForStatement) return 'for each statement'
  return condition ? `for each row when (${condition})` : 'for each row'
}
