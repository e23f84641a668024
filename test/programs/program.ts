import { once } from 'node:events'

/** Arguments of a program. */
export type Given = {
  readonly uid: string
  readonly secret: string
  readonly redirectUri: string
  /** Whether an address of the API is served, as the OpenAPI document writes it. */
  serves(path: string): boolean
  /** Has a person open the address and allow what it asks for; gives the address that the browser is sent back to. */
  allow(address: string | URL): Promise<URL>
  /** Records of the school, by what they are to the program. */
  // biome-ignore lint/suspicious/noExplicitAny: ids and words as the test hands them over
  readonly school: any
}

/** Runs a program that `startProgram` started, and reports what it made of the answers. */
export async function program(run: (given: Given) => Promise<unknown>): Promise<void> {
  const { served, ...given } = JSON.parse(process.env.PROGRAM_GIVEN ?? '')
  const send = process.send?.bind(process) ?? assertStarted
  async function allow(address: string | URL): Promise<URL> {
    const answered = once(process, 'message')
    send({ allow: String(address) })
    return new URL((await answered)[0])
  }
  const made = await run({ ...given, serves: (path) => served.includes(path), allow })
  send({ made: made ?? null }, () => process.exit())
}

function assertStarted(): never {
  throw new Error('Started by startProgram only')
}

/** Returns the default export of a CommonJS package, which Node imports as a member. */
// biome-ignore lint/suspicious/noExplicitAny: packages come without types, or with others
export const defaultOf = (module: any): any => module.default ?? module
