import { readFileSync } from 'node:fs'
import type { RecordedBodies } from './webhook-events.ts'

/** A request that was really sent to a seeded service, and what it really answered. */
export type Example = {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** Whether it carried a token. */
  readonly hasToken: boolean
  readonly body?: unknown
  readonly status: number
  /** Those that say something about the answer, by their names as documented. */
  readonly headers: Readonly<Record<string, string>>
  readonly answer?: unknown
}

/** Operation → what was recorded of it. */
export type Examples = Readonly<Record<string, readonly Example[]>>

/** All that was recorded. */
export type Recorded = { readonly examples: Examples; readonly bodies: RecordedBodies }

/** The address at which the examples were recorded. */
export const RECORDED_URL = 'https://localhost:8443'

/** Where they are stored; `npm run generate -- examples` rewrites them. */
export const EXAMPLES_FILE = new URL('../../../docs/reference/examples.json', import.meta.url)

/** Where the bodies of webhooks are stored. */
export const BODIES_FILE = new URL('webhook-bodies.json', EXAMPLES_FILE)

/** Reads what was recorded, as if it had been recorded at this address. */
export const readExamples = (baseUrl: string): Examples => readRecorded(EXAMPLES_FILE, baseUrl)

/** The same of the bodies of webhooks. */
export const readBodies = (baseUrl: string): RecordedBodies => readRecorded(BODIES_FILE, baseUrl)

const readRecorded = (file: URL, baseUrl: string) =>
  JSON.parse(readFileSync(file, 'utf8').replaceAll(RECORDED_URL, JSON.stringify(baseUrl).slice(1, -1)))
