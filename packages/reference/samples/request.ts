import { defined } from '@campus/engine/base/defined'
import type { Example } from '../examples.ts'
import type { Operation, Reference } from '../model.ts'

export type SampleRequest = Pick<Example, 'method' | 'path' | 'hasToken' | 'body'> & {
  readonly operation: Operation
  readonly resolve: Reference['resolve']
}

/** Encodes the characters of an example that shells or clients treat specially. */
export const addressOf = (path: string): string => path.replace(/[[\],]/g, encodeURIComponent)

/** Returns the decoded query of an address. */
export const queryOf = (path: string): readonly (readonly [name: string, value: string])[] => [
  ...new URLSearchParams(path.split('?')[1] ?? ''),
]

/** Returns the path without its query. */
export const pathOf = (path: string): string => defined(path.split('?', 1)[0])

/** Returns the values that an example's path has for the `{parameters}` of a pattern. */
export function pathValues(pattern: string, path: string): readonly (readonly [name: string, value: string])[] {
  const given = path.split('/')
  return pattern
    .split('/')
    .flatMap((part, index) => (part.startsWith('{') ? [[part.slice(1, -1), given[index] ?? ''] as const] : []))
}
