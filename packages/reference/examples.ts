import { readFileSync } from 'node:fs'
import { codeOf } from '@campus/engine/base/caught'

/** A request and its answer, recorded from a seeded service or made from the schemas of an operation. */
export type Example = {
  readonly method: string
  /** Path with query. */
  readonly path: string
  readonly hasToken: boolean
  readonly body?: unknown
  readonly status: number
  /** Documented headers of the answer. */
  readonly headers: Readonly<Record<string, string>>
  readonly answer?: unknown
}

/** Examples by id of the operation. */
export type Examples = Readonly<Record<string, readonly Example[]>>

/** Bodies of webhooks by model. */
export type RecordedBodies = Readonly<Record<string, unknown>>

export type Recorded = { readonly examples: Examples; readonly bodies: RecordedBodies }

/** The address at which the examples were recorded. */
export const RECORDED_URL = 'https://localhost:8443'

// `npm run generate -- examples` writes these files. Packages contain them, a new clone does not.
const EXAMPLES_FILE = new URL('../../docs/reference/examples.json', import.meta.url)
const BODIES_FILE = new URL('webhook-bodies.json', EXAMPLES_FILE)

/** Reads the recording with this address of the service. It is empty if the files do not exist. */
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
