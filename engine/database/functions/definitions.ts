/** A function of the database, in PostgreSQL's own spelling, so that texts can be compared. */
export type SqlFunction = {
  readonly name: string
  readonly parameters?: string
  /** `trigger` by default. */
  readonly returns?: string
  /** PL/pgSQL by default. */
  readonly language?: 'sql' | 'plpgsql'
  readonly isStable?: boolean
  /** Whether it may be used in indexes. */
  readonly isImmutable?: boolean
  readonly cost?: number
  readonly settings?: Readonly<Record<string, string>>
  readonly body: string
  /** Statement that recounts, which runs after the function and its triggers were written. */
  readonly recount?: string
}

export type SqlTrigger = {
  readonly name: string
  readonly table: string
  readonly on: string
  /** SQL condition on the rows `old` and `new`. */
  readonly condition?: string
  readonly isForStatement?: boolean
  /** Transition tables, such as `new table as changed`. The trigger then runs once per statement. */
  readonly transitions?: string
  readonly call: string
  /** Whether it also runs for replicated writes. */
  readonly isAlways?: boolean
  /** Whether it runs at commit. */
  readonly isDeferred?: boolean
}

/** Returns the statement that creates the function, as `pg_get_functiondef` prints it. */
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

export const triggerText = ({ name, table, on, call, isDeferred, ...trigger }: SqlTrigger): string =>
  `create ${isDeferred ? 'constraint ' : ''}trigger ${name} ${on} on ${table} ${isDeferred ? 'deferrable initially deferred ' : ''}
   ${forEach(trigger)} execute function ${call}`

function forEach({ condition, isForStatement, transitions }: Partial<SqlTrigger>): string {
  if (transitions) return `referencing ${transitions} for each statement`
  if (isForStatement) return 'for each statement'
  return condition ? `for each row when (${condition})` : 'for each row'
}
