import assert from 'node:assert/strict'
import type { Reads } from './call.ts'

const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  int: Number.isInteger,
  number: (value) => typeof value === 'number',
  text: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
  time: (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value)),
  date: (value) => /^\d{4}-\d\d-\d\d$/.test(String(value)),
  null: (value) => value === null,
  invisible: (value) => value === 'invisible',
  nobody: (value) => JSON.stringify(value) === '{}',
  list: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

/**
 * Asserts that a value can be read as a program reads it: `int`, `text|null` and the like; a shape with the keys that it
 * reads, others may stand beside them; a list of one shape for each element of a list that has some.
 */
export function assertReads(reads: Reads, value: unknown, maybeNone = false, at = 'the answer'): void {
  if (typeof reads === 'string') {
    const kinds = reads.split('|')
    for (const kind of kinds) assert.ok(kind in KINDS, `no kind of value is called ${kind}`)
    const isOne = kinds.some((kind) => KINDS[kind]?.(value))
    assert.ok(isOne, `${at} is read as ${reads}, and is ${JSON.stringify(value)?.slice(0, 200)}`)
  } else if (Array.isArray(reads)) {
    assert.ok(Array.isArray(value), `${at} is read as a list, and is ${JSON.stringify(value)?.slice(0, 200)}`)
    assert.ok(maybeNone || value.length > 0, `${at} is a list with nothing in it`)
    for (const [index, element] of value.entries()) assertReads(reads[0], element, false, `${at}[${index}]`)
  } else {
    assertReads('object', value, false, at)
    for (const [key, inner] of Object.entries(reads)) {
      assert.ok(key in (value as object), `${at} has no ${key}`)
      // A list may be empty if the program allows that, at any depth.
      assertReads(inner, (value as Record<string, unknown>)[key], true, `${at}.${key}`)
    }
  }
}
