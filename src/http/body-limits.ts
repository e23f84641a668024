import { malformed } from '../errors.ts'
import { UploadedFile } from './uploaded-file.ts'

/** How far down the values of a body may be nested. */
export const MAX_LEVELS = 64
/** How many members one object of a body may have. */
export const MAX_MEMBERS = 2_000
/** How many values there may be in a body, at all levels together. */
export const MAX_VALUES = 20_000

/**
 * Refuses with 400 a body that nobody has a use for, so that whoever reads it may walk through all of it and down to its
 * depth. Level by level, since a client decides how deep a body is.
 */
export function refuseVast(body: unknown): void {
  let values = 1
  let level: readonly object[] = isNested(body) ? [body] : []
  for (let levels = 1; level.length > 0; levels += 1) {
    if (levels > MAX_LEVELS) throw malformed(`The body is nested more deeply than ${MAX_LEVELS} levels.`)
    const below: object[] = []
    for (const holder of level) {
      const members = Object.values(holder)
      values += members.length
      if (!Array.isArray(holder) && members.length > MAX_MEMBERS)
        throw malformed(`An object in the body has ${members.length} members; at most ${MAX_MEMBERS} are accepted.`)
      if (values > MAX_VALUES) throw malformed(`The body holds more than ${MAX_VALUES} values.`)
      for (const member of members) if (isNested(member)) below.push(member)
    }
    level = below
  }
}

const isNested = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof UploadedFile)
