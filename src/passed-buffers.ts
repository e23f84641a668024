import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { readonly type: 'minor' }) => void

const COLLECT_EVERY_BYTES = 8 * 1_048_576

let passed = 0
let collect: Collect | undefined

/**
 * Says that so many bytes of a stream are done with. The memory of their chunks lies outside of the heap, which stays so
 * small meanwhile that it is seldom looked through: a long stream would leave 64 MiB and more of them lying about. So
 * the newest part of the heap is looked through every few mebibytes, which takes a millisecond or two.
 */
export function letGo(bytes: number): void {
  passed += bytes
  if (passed < COLLECT_EVERY_BYTES) return
  passed = 0
  collect ??= findCollector()
  collect({ type: 'minor' })
}

/** The same stream, whose chunks are let go as they pass. */
export async function* lettingGo(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    yield chunk
    letGo(chunk.length)
  }
}

/** It is in contexts that are made while the flag is set, and in no other. */
function findCollector(): Collect {
  setFlagsFromString('--expose-gc')
  try {
    return runInNewContext('gc') as Collect
  } finally {
    setFlagsFromString('--no-expose-gc')
  }
}
