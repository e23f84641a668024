import { hash } from 'node:crypto'
import type { Handle } from '../database/database.ts'
import type { Caller } from '../http/caller.ts'
import { integerKind } from './fields/kinds.ts'
import type { Machine } from './machine.ts'
import type { Condition, Plan, RecordKey } from './plan.ts'
import {
  countQuery,
  dependsOnClock,
  existsQuery,
  ownerQuery,
  pageQuery,
  type Query,
  recordQuery,
  tablesOf,
  valueQuery,
} from './query.ts'
import type { Form } from './represent/form.ts'
import { MissingFragment } from './represent/fragments.ts'
import type { Resource, Tie } from './resource.ts'

/** A page of a list: the records as JSON texts, and how many there are in all. */
export type Page = { readonly records: readonly string[]; readonly total: number }

/** Runs a list. The total is exact; it is counted only when a row of its tables has changed since the last time. */
export async function runList(machine: Machine, plan: Plan, formName: string, caller: Caller): Promise<Page> {
  const form = machine.forms.form(plan.resource, formName)
  const view = { caller, now: machine.clock.now() }
  const count = countQuery(plan, machine.countedTables.has(plan.resource.table), view)
  const key = keyOf(count)
  const tables = [plan.resource.table, ...tablesOf(plan.conditions)]
  const version = machine.database.changes.versionOf(tables)
  const known = machine.totals.get(key, tables)
  const page = pageQuery(plan, form, view)
  if (known !== undefined) {
    if (plan.offset >= known) return { records: [], total: known }
    return { records: await readRecords(machine, form, page.text, page.values, machine.database), total: known }
  }

  const [records, [totalRow]] = await Promise.all([
    readRecords(machine, form, page.text, page.values, machine.database),
    machine.database.rows(count.text, count.values),
  ])
  const total = Number(totalRow?.[0])
  if (!dependsOnClock(plan.resource, plan.conditions)) machine.totals.set(key, total, tables, version)
  return { records, total }
}

/** One record as JSON text, or undefined when there is none. Inside a transaction, `handle` is its own. */
export async function runRecord(
  machine: Machine,
  resource: Resource,
  formName: string,
  key: RecordKey,
  caller: Caller,
  extra: readonly Condition[] = [],
  handle: Handle = machine.database,
): Promise<string | undefined> {
  const form = machine.forms.form(resource, formName)
  const query = recordQuery(resource, form, key, extra, { caller, now: machine.clock.now() })
  const [record] = await readRecords(machine, form, query.text, query.values, handle)
  return record
}

/** Those of the records with these ids that the conditions leave, as JSON texts. */
export async function runRecords(
  machine: Machine,
  resource: Resource,
  formName: string,
  ids: readonly number[],
  extra: readonly Condition[],
  caller: Caller,
  handle: Handle = machine.database,
): Promise<readonly string[]> {
  const form = machine.forms.form(resource, formName)
  const named: Condition = { kind: 'filter', name: 'id', type: integerKind, values: ids }
  const plan: Plan = {
    resource,
    conditions: [named, ...extra],
    order: [{ name: 'id', descending: false }],
    limit: ids.length,
    offset: 0,
  }
  const { text, values } = pageQuery(plan, form, { caller, now: machine.clock.now() })
  return readRecords(machine, form, text, values, handle)
}

/** The id of a parent that a path names, or undefined when there is none. */
export async function findId(handle: Handle, resource: Resource, key: RecordKey): Promise<number | undefined> {
  const { text, values } = existsQuery(resource, key)
  const [row] = await handle.rows(text, values)
  return row ? Number(row[0]) : undefined
}

/** One column of a record that a path names. */
export async function findValue(handle: Handle, resource: Resource, key: RecordKey, name: string): Promise<unknown> {
  const { text, values } = valueQuery(resource, key, name)
  const [row] = await handle.rows(text, values)
  return row?.[0]
}

/** Whether a record is tied to this person. */
export async function isOwner(
  handle: Handle,
  resource: Resource,
  id: number,
  tie: Tie,
  person: number,
): Promise<boolean> {
  const { text, values } = ownerQuery(resource, id, tie, person)
  return (await handle.rows(text, values)).length > 0
}

const LONGEST_KEY = 500

/** What a total is kept under; clients choose how long their filters are, and so many of them would fill the memory. */
function keyOf({ text, values }: Query): string {
  const key = `${text} ${JSON.stringify(values)}`
  return key.length <= LONGEST_KEY ? key : hash('sha256', key)
}

async function readRecords(
  machine: Machine,
  form: Form,
  text: string,
  values: readonly unknown[],
  handle: Handle,
): Promise<string[]> {
  if (!machine.fragments.areFresh(form.fragments)) await machine.fragments.load(form.fragments, handle)
  const rows = await handle.rows(text, values)
  try {
    return rows.map((row) => form.write(row))
  } catch (error) {
    if (!(error instanceof MissingFragment)) throw error
    await machine.fragments.load(form.fragments, handle, true)
    return rows.map((row) => form.write(row))
  }
}
