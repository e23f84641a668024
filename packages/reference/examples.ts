import { readFileSync } from 'node:fs'
import { codeOf } from '@campus/engine/base/caught'

/** A request and its answer, recorded from a seeded service or made from the schemas of an operation. */
export type Example = {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** Whether it carried a token. */
  readonly hasToken: boolean
  readonly body?: unknown
  readonly status: number
  /** Headers that describe the answer, by their documented names. */
  readonly headers: Readonly<Record<string, string>>
  readonly answer?: unknown
}

/** Operation → what was recorded of it. */
export type Examples = Readonly<Record<string, readonly Example[]>>

/** Model → a body that was read for an application; of `destroy` nothing is sent but the id. */
export type RecordedBodies = Readonly<Record<string, unknown>>

/** All that was recorded. */
export type Recorded = { readonly examples: Examples; readonly bodies: RecordedBodies }

/** The address at which the examples were recorded. */
export const RECORDED_URL = 'https://localhost:8443'

/** Files of the recording, which `npm run generate -- examples` writes. Packages contain them, a new clone does not. */
const EXAMPLES_FILE = new URL('../../docs/reference/examples.json', import.meta.url)
const BODIES_FILE = new URL('webhook-bodies.json', EXAMPLES_FILE)

/** Reads the recording as if it had been made at this address. It is empty if the files do not exist. */
export const readRecorded = (baseUrl: string): Recorded => ({
  examples: readAt(EXAMPLES_FILE, baseUrl),
  bodies: readAt(BODIES_FILE, baseUrl),
})

function readAt(file: URL, baseUrl: string) {
  try {
    return movedTo(baseUrl, readFileSync(file, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {}
    throw error
  }
}

/** Parses a recording with another address of the service. */
export const movedTo = (baseUrl: string, recorded: string) =>
  JSON.parse(recorded.replaceAll(RECORDED_URL, JSON.stringify(baseUrl).slice(1, -1)))
