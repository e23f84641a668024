import { setImmediate } from 'node:timers/promises'

/** Work that may pause at each `yield`. */
export type Slices<T> = Generator<void, T, void>

const SLICE_MILLISECONDS = 5

export async function inSlices<T>(work: Slices<T>): Promise<T> {
  for (;;) {
    await setImmediate()
    const end = performance.now() + SLICE_MILLISECONDS
    do {
      const { done, value } = work.next()
      if (done) return value
    } while (performance.now() < end)
  }
}

export function atOnce<T>(work: Slices<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

export function* mapped<T, U>(items: Iterable<T>, make: (item: T) => U): Slices<U[]> {
  const made: U[] = []
  for (const item of items) {
    made.push(make(item))
    yield
  }
  return made
}

export async function bytesInSlices(pieces: Iterable<string>): Promise<Buffer> {
  return Buffer.concat(await inSlices(mapped(pieces, (piece) => Buffer.from(piece))))
}

/** Yields the text of `JSON.stringify` in pieces: one per member, down to `levels` levels. */
export function* jsonPieces(value: unknown, levels = 3): Generator<string> {
  if (levels === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    yield JSON.stringify(value)
    return
  }
  let before = '{'
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    yield* jsonPieces(member, levels - 1)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}
