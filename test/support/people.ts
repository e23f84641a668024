import { argon2Sync } from 'node:crypto'
import type { World } from './campus.ts'
import { type Visitor, visitorOf } from './visitor.ts'

export const PASSWORD = 'correct horse battery'

/** Digest of `PASSWORD` at the lowest cost, since a run signs people in hundreds of times. */
export const DIGEST = digestOf({ memory: 8, passes: 1, parallelism: 1 })

function digestOf(cost: { readonly memory: number; readonly passes: number; readonly parallelism: number }): string {
  const nonce = Buffer.alloc(16)
  const hash = argon2Sync('argon2id', { message: PASSWORD, nonce, tagLength: 32, ...cost })
  const [salt, proof] = [nonce, hash].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${salt}$${proof}`
}

/** A user, and a browser in which they are signed in. */
export type SignedIn = { readonly id: number; readonly login: string; readonly browser: Visitor }

let people = 0

/** A new user with a password; `values` are columns of `users`. Staff of no campus are administrators of the school. */
export async function personOf(world: World, values: Readonly<Record<string, unknown>> = {}) {
  people += 1
  const login = String(values.login ?? `person${people}`)
  const id = await world.build.user({ login, password_digest: DIGEST, ...values })
  if (values.kind === 'admin') await world.database.rows('insert into administrators values ($1, now())', [id])
  return { id, login }
}

/** A new user who is signed in. */
export async function signedInOf(world: World, values: Readonly<Record<string, unknown>> = {}): Promise<SignedIn> {
  const person = await personOf(world, values)
  const browser = visitorOf(world)
  await browser.signIn(person.login, PASSWORD)
  return { ...person, browser }
}
