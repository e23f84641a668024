import { readFileSync } from 'node:fs'

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

/** The address at which the examples were recorded. */
export const RECORDED_URL = 'https://localhost:8443'

/** Where they are stored; `npm run examples` rewrites them. */
export const EXAMPLES_FILE = new URL('../../../docs/reference/examples.json', import.meta.url)

/** Reads what was recorded, as if it had been recorded at this address. */
export function readExamples(baseUrl: string): Examples {
  return JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8').replaceAll(RECORDED_URL, JSON.stringify(baseUrl).slice(1, -1)))
}
