import { defined } from '@campus/engine/base/defined'
import type { Example } from '../examples.ts'
import type { Operation, Reference } from '../model.ts'

/** The request of a sample: its values, and the document's addresses. */
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

/** The path without what it asks for. */
export const pathOf = (path: string): string => defined(path.split('?', 1)[0])
