import { type FilledMessage, message } from '../../base/languages/say.ts'
import type { Handle } from '../../database/database.ts'
import type { Resource } from '../declare/declaration.ts'
import type { Entry } from './entries.ts'
import { findByName, presentIds } from './find-records.ts'
import { findKeys } from './keys.ts'

export type Identity =
  | { readonly by: 'nothing' }
  /** Keys of another service. `field` is set if the column also fills the field that identifies records in paths. */
  | { readonly by: 'key'; readonly column: string; readonly field: string | undefined }
  | { readonly by: 'id' }

type IdentifyOptions = {
  readonly resource: Resource
  readonly identity: Identity
  readonly run: string
  readonly mayChooseId: boolean
}

export async function identify(tx: Handle, plan: IdentifyOptions, entries: readonly Entry[]): Promise<void> {
  if (plan.identity.by === 'id') await byId(tx, plan, entries)
  if (plan.identity.by === 'key') await byKey(tx, plan, plan.identity, entries)
}

async function byId(tx: Handle, { resource, mayChooseId }: IdentifyOptions, entries: readonly Entry[]): Promise<void> {
  const { singular } = resource
  const ids = entries.map(({ key = '' }) => (/^\d+$/.test(key) ? Number(key) : undefined))
  const named = ids.filter((id) => id !== undefined)
  const present = await presentIds(tx, resource, named)
  const seen = new Map<number, number>()
  for (const [at, entry] of entries.entries()) {
    const id = ids[at]
    if (entry.key === undefined) continue
    if (id !== undefined && present.has(id)) entry.id = id
    else if (mayChooseId) entry.sent.id = entry.key
    else {
      const values = { record: singular.replaceAll('_', ' '), shown: JSON.stringify(entry.key.slice(0, 80)) }
      refuse(entry, 'id', message('must exist: there is no {record} {shown}', values))
      continue
    }
    const before = id === undefined ? undefined : seen.get(id)
    if (before !== undefined) refuse(entry, 'id', message('is that of line {line}, too', { line: before }))
    else if (id !== undefined) seen.set(id, entry.line)
  }
}

async function byKey(
  tx: Handle,
  { resource, run }: IdentifyOptions,
  { column, field }: Extract<Identity, { by: 'key' }>,
  entries: readonly Entry[],
): Promise<void> {
  const keys = entries.flatMap(({ key }) => key ?? [])
  const known = await findKeys(tx, resource, keys)
  const named = field === undefined ? undefined : await findByName(tx, resource, field, keys)
  const seen = new Map<string, number>()
  for (const entry of entries) {
    const { key } = entry
    if (key === undefined) continue
    const found = known.get(key)
    const before = seen.get(key) ?? (found?.run === run ? found.line : undefined)
    if (before !== undefined) refuse(entry, column, message('is that of line {line}, too', { line: before }))
    else seen.set(key, entry.line)
    entry.id = found?.id ?? named?.get(key)?.[0]
  }
}

const refuse = (entry: Entry, column: string, fault: FilledMessage) =>
  entry.faults.push({ line: entry.line, column, fault })
