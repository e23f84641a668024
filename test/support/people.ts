import { hashPassword } from '../../src/domain/passwords.ts'
import type { World } from './campus.ts'
import { type Visitor, visitorOf } from './visitor.ts'

export const PASSWORD = 'correct horse battery'

/** Somebody with an account, and a browser in which they are signed in. */
export type SignedIn = { readonly id: number; readonly login: string; readonly browser: Visitor }

let digest: Promise<string> | undefined
let people = 0

/** Somebody new with a password; `values` are columns of `users`. */
export async function personOf(world: World, values: Readonly<Record<string, unknown>> = {}) {
  people += 1
  const login = String(values.login ?? `person${people}`)
  digest ??= hashPassword(PASSWORD)
  const id = await world.build.user({ login, password_digest: await digest, ...values })
  return { id, login }
}

/** Somebody new who is signed in. */
export async function signedInOf(world: World, values: Readonly<Record<string, unknown>> = {}): Promise<SignedIn> {
  const person = await personOf(world, values)
  const browser = visitorOf(world)
  await browser.signIn(person.login, PASSWORD)
  return { ...person, browser }
}
