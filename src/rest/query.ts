import { columnOf, quote } from './fields/field.ts'
import type { Condition, FoundCondition, ParentCondition, Plan, RecordKey } from './plan.ts'
import { type Form, TIE_ALIAS } from './represent/form.ts'
import type { Between, FoundTie, Resource, Tie } from './resource.ts'
import { Sentence } from './sentence.ts'

/** A sentence with its values. */
export type Query = { readonly text: string; readonly values: readonly unknown[] }

/** From here on the records that a page skips cost more than finding its own by their ids. */
const FAR = 1_000

/** A page of a list: the rows that it holds first, and only of those what they embed; far down, their ids first. */
export function pageQuery(plan: Plan, form: Form, now: Date): Query {
  const sentence = new Sentence()
  const { resource, conditions, limit, offset } = plan
  const isFar = offset > FAR
  const table = quote(resource.table)
  const where = whereOf(resource, conditions, 't', sentence, now)
  const order = orderOf(plan)
  const skipped = offset > 0 ? ` offset ${sentence.value(offset, 'bigint')}` : ''
  const page = `select ${isFar ? 't.id' : 't.*'} from ${table} t${where} order by ${order} limit ${limit}${skipped}`
  const from = isFar ? `(${page}) page join ${table} t on t.id = page.id` : `(${page}) t`
  const tie = form.usesTie ? tieJoin(conditions, sentence) : ''
  return {
    text: `select ${form.select} from ${from}${tie} ${form.joins} order by ${order}`,
    values: sentence.values,
  }
}

/** The row that ties each record of the page to its parent. */
function tieJoin(conditions: readonly Condition[], sentence: Sentence): string {
  const found = conditions.find((condition) => condition.kind === 'found')
  if (found) return foundJoin(found, sentence)
  const parent = conditions.find((condition) => condition.kind === 'parent')
  if (!parent || typeof parent.tie === 'string' || !('table' in parent.tie))
    throw new Error('this form belongs below a parent with a table between')
  const { table, ours, theirs } = parent.tie
  return ` join ${quote(table)} ${TIE_ALIAS} on ${TIE_ALIAS}.${quote(ours)} = t.id and ${TIE_ALIAS}.${quote(theirs)} = ${parentId(parent, sentence)}${flagSql(parent.tie, TIE_ALIAS)}`
}

function foundJoin({ columns, rows }: FoundCondition, sentence: Sentence): string {
  const lists = columns.map((_, place) => {
    const values = rows.map((row) => row[place])
    return sentence.value(values, 'integer[]')
  })
  const names = columns.map(quote).join(', ')
  return ` join unnest(${lists.join(', ')}) ${TIE_ALIAS} (${names}) on ${TIE_ALIAS}.id = t.id`
}

/** The exact number of records that the conditions leave. */
export function countQuery(
  { resource, conditions }: Pick<Plan, 'resource' | 'conditions'>,
  isCounted: boolean,
  now: Date,
): Query {
  const sentence = new Sentence()
  if (conditions.length === 0 && isCounted) {
    const relation = sentence.value(resource.table, 'text')
    return {
      text: `select coalesce(sum(row_count), 0) from row_counts where relation = ${relation}`,
      values: sentence.values,
    }
  }
  const where = whereOf(resource, conditions, 't', sentence, now)
  return { text: `select count(*) from ${quote(resource.table)} t${where}`, values: sentence.values }
}

/** One record by what the path says. `extra` narrows it, as to a parent's or a person's own. */
export function recordQuery(
  resource: Resource,
  form: Form,
  key: RecordKey,
  extra: readonly Condition[],
  now: Date,
): Query {
  const sentence = new Sentence()
  const where = [`t.${identity(resource, key, sentence)}`, ...conditionsOf(resource, extra, 't', sentence, now)].join(
    ' and ',
  )
  return {
    text: `select ${form.select} from ${quote(resource.table)} t ${form.joins} where ${where}`,
    values: sentence.values,
  }
}

/** The id of a record that is about to be written, locked. */
export function findQuery(resource: Resource, key: RecordKey, extra: readonly Condition[], now: Date): Query {
  const sentence = new Sentence()
  const where = [`t.${identity(resource, key, sentence)}`, ...conditionsOf(resource, extra, 't', sentence, now)].join(
    ' and ',
  )
  return { text: `select t.id from ${quote(resource.table)} t where ${where} for update of t`, values: sentence.values }
}

/** Whether a record is tied to a person. */
export function ownerQuery(resource: Resource, id: number, tie: Tie, person: number): Query {
  const sentence = new Sentence()
  const [ours, theirs] = [sentence.value(id, 'integer'), sentence.value(person, 'integer')]
  return {
    text: `select 1 from ${quote(resource.table)} t where t.id = ${ours} and ${tieSql(tie, 't', theirs)}`,
    values: sentence.values,
  }
}

/** Whether a parent in the path exists at all. */
export function existsQuery(resource: Resource, key: RecordKey): Query {
  const sentence = new Sentence()
  return {
    text: `select t.id from ${quote(resource.table)} t where t.${identity(resource, key, sentence)}`,
    values: sentence.values,
  }
}

/** One column of a record. */
export function valueQuery(resource: Resource, key: RecordKey, name: string): Query {
  const sentence = new Sentence()
  return {
    text: `select ${expressionOf(resource, name, 't')} from ${quote(resource.table)} t where t.${identity(resource, key, sentence)}`,
    values: sentence.values,
  }
}

/** ` where …`, or nothing. */
export function whereOf(
  resource: Resource,
  conditions: readonly Condition[],
  alias: string,
  sentence: Sentence,
  now: Date,
): string {
  const parts = conditionsOf(resource, conditions, alias, sentence, now)
  return parts.length === 0 ? '' : ` where ${parts.join(' and ')}`
}

/** The tables that the conditions look at beside the resource's own. */
export function tablesOf(conditions: readonly Condition[]): string[] {
  return conditions.flatMap((condition) => {
    if (condition.kind === 'scope') return condition.filter.tables
    if (condition.kind === 'visible') return condition.own ? tieTables(condition.own.tie) : []
    if (condition.kind !== 'parent') return []
    const between = isFound(condition.tie) ? [] : tieTables(condition.tie)
    return 'name' in condition.key ? [...between, condition.parent.table] : between
  })
}

/** Whether the passing of time alone changes what the conditions leave. */
export const dependsOnClock = (conditions: readonly Condition[]) =>
  conditions.some((condition) => condition.kind === 'scope' && condition.filter.byClock)

function conditionsOf(
  resource: Resource,
  conditions: readonly Condition[],
  alias: string,
  sentence: Sentence,
  now: Date,
): string[] {
  return conditions.map((condition) => conditionSql(resource, condition, alias, sentence, now))
}

function conditionSql(resource: Resource, condition: Condition, alias: string, sentence: Sentence, now: Date): string {
  switch (condition.kind) {
    case 'filter':
      return sentence.matches(expressionOf(resource, condition.name, alias), condition.values, condition.type)
    case 'scope':
      return condition.filter.where(alias, condition.values, sentence, now)
    case 'range': {
      const expression = expressionOf(resource, condition.name, alias)
      const { min, max, type } = condition
      // In a sub-select, so that one plan serves every value: planning anew takes longer than such a query.
      const bounds: string[] = []
      if (min !== null) bounds.push(`${expression} >= (select ${sentence.value(min, type.sqlType)})`)
      if (max !== null) bounds.push(`${expression} <= (select ${sentence.value(max, type.sqlType)})`)
      return bounds.join(' and ')
    }
    case 'search': {
      const matches = searchSql(condition.text, sentence)
      const parts = condition.names.map((name) => `${expressionOf(resource, name, alias)} ${matches}`)
      return `(${parts.join(' or ')})`
    }
    case 'blank':
      return `${expressionOf(resource, condition.name, alias)} is null`
    case 'visible': {
      const expression = expressionOf(resource, condition.name, alias)
      const { own } = condition
      return own ? `(${expression} or ${tieSql(own.tie, alias, sentence.value(own.person, 'integer'))})` : expression
    }
    case 'parent':
      return parentSql(condition, alias, sentence)
    case 'found': {
      const ids = condition.rows.map(([id]) => id)
      return `${columnOf(alias, 'id')} = any(${sentence.value(ids, 'integer[]')})`
    }
  }
}

/** The collation of text folds only the letters of ASCII, so that others are looked for in either form. */
function searchSql(text: string, sentence: Sentence): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `ilike ${sentence.value(`%${text.replace(/[\\%_]/g, '\\$&')}%`, 'text')}`
  const letters = [...text].map((letter) => {
    const forms = [...new Set([letter, letter.toLowerCase(), letter.toUpperCase()])]
    return `(${forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`
  })
  return `~ ${sentence.value(letters.join(''), 'text')}`
}

function parentId({ parent, key }: ParentCondition, sentence: Sentence): string {
  if ('id' in key) return sentence.value(key.id, 'integer')
  return `(select id from ${quote(parent.table)} where ${identity(parent, key, sentence)})`
}

function parentSql(condition: ParentCondition, alias: string, sentence: Sentence): string {
  if (isFound(condition.tie)) throw new Error('what hangs below a record by a tie of the domain is to be found first')
  return tieSql(condition.tie, alias, parentId(condition, sentence))
}

/** Whether the domain has to be asked for what ties a record to its parent. */
export const isFound = (tie: Tie | FoundTie): tie is FoundTie => typeof tie !== 'string' && 'find' in tie

/** That the row called `alias` is tied to the record whose id is `id`. */
function tieSql(tie: Tie, alias: string, id: string): string {
  if (typeof tie === 'string') return `${columnOf(alias, tie)} = ${id}`
  if ('anyOf' in tie) return `(${tie.anyOf.map((part) => tieSql(part, alias, id)).join(' or ')})`
  const { table, ours, key = 'id', theirs } = tie
  return `exists (select 1 from ${quote(table)} p where p.${quote(ours)} = ${columnOf(alias, key)} and p.${quote(theirs)} = ${id}${flagSql(tie, 'p')})`
}

const flagSql = ({ unless, only }: Between, alias: string) =>
  (unless ? ` and not ${columnOf(alias, unless)}` : '') + (only ? ` and ${columnOf(alias, only)}` : '')

/** The tables that a tie passes through. */
function tieTables(tie: Tie): string[] {
  if (typeof tie === 'string') return []
  return 'anyOf' in tie ? tie.anyOf.flatMap(tieTables) : [tie.table]
}

function identity(resource: Resource, key: RecordKey, sentence: Sentence): string {
  if ('id' in key) return `${quote('id')} = ${sentence.value(key.id, 'integer')}`
  return `${quote(resource.identifiedBy as string)} = ${sentence.value(key.name, 'text')}`
}

function orderOf({ resource, order }: Plan): string {
  return order
    .map(({ name, descending }) => `${expressionOf(resource, name, 't')}${descending ? ' desc' : ''}`)
    .join(', ')
}

function expressionOf(resource: Resource, name: string, alias: string): string {
  return columnOf(alias, resource.stored(name)?.column ?? name)
}
