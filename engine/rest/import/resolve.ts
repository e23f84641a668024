import { type FilledMessage, message } from '../../base/languages/say.ts'
import type { Handle } from '../../database/database.ts'
import { isStorable } from '../../database/same-name.ts'
import type { Resource } from '../declare/declaration.ts'
import { findByName, presentIds } from './find-records.ts'
import { findKeys } from './keys.ts'
import { waysToName } from './targets.ts'

type Resolution = { readonly id: number } | { readonly fault: FilledMessage }
export type Resolved = ReadonlyMap<string, Resolution>

/** Finds records by their names. Without `by`, digits are an id, and other texts an identifier or a name. */
export async function resolveNames(
  tx: Handle,
  target: Resource,
  by: string | undefined,
  texts: readonly string[],
): Promise<Resolved> {
  const asked = [...new Set(texts)]
  const isId = (text: string) => by === 'id' || (by === undefined && /^\s*\d+\s*$/.test(text))
  const ids = asked.filter(isId)
  const names = asked.filter((text) => !isId(text))
  const found = new Map([...(await findIds(tx, target, ids)), ...(await findNames(tx, target, by, names))])
  const record = target.singular.replaceAll('_', ' ')
  const resolve = (text: string): Resolution => {
    const [id, other] = found.get(text) ?? []
    const shown = JSON.stringify(text.slice(0, 80))
    if (other !== undefined)
      return { fault: message('names several {records}: {shown}', { records: target.name, shown }) }
    if (id !== undefined) return { id }
    if (by === undefined || by === 'id' || by === target.identifiedBy)
      return { fault: message('must exist: there is no {record} {shown}', { record, shown }) }
    return { fault: message('must exist: there is no {record} of this {field} {shown}', { record, field: by, shown }) }
  }
  return new Map(asked.map((text) => [text, resolve(text)]))
}

type Found = ReadonlyMap<string, readonly number[]>

async function findIds(tx: Handle, target: Resource, texts: readonly string[]): Promise<Found> {
  const present = await presentIds(tx, target, texts.map(Number))
  return new Map(texts.map((text) => [text, present.has(Number(text)) ? [Number(text)] : []]))
}

async function findNames(
  tx: Handle,
  target: Resource,
  by: string | undefined,
  texts: readonly string[],
): Promise<Found> {
  if (by === 'key') {
    const keys = await findKeys(tx, target, texts.filter(isStorable))
    return new Map([...keys].map(([key, { id }]) => [key, [id]]))
  }
  const ways =
    by === undefined ? waysToName(target).filter((way) => way === target.identifiedBy || way === 'name') : [by]
  const found = new Map<string, readonly number[]>()
  for (const way of ways) {
    const missing = texts.filter((text) => !found.get(text)?.length)
    if (missing.length === 0) break
    for (const [text, ids] of await findByName(tx, target, way, missing)) found.set(text, ids)
  }
  return found
}
