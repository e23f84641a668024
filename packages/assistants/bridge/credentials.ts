import { readFile } from 'node:fs/promises'
import { codeOf } from '@campus/engine/base/caught'
import { ConfigError } from '@campus/engine/base/config-error'
import type { Fetch } from '../../../clients/typescript/src/attempt.ts'
import { retryLimits } from '../../../clients/typescript/src/retries.ts'
import { timer } from '../../../clients/typescript/src/time.ts'
import { Tokens } from '../../../clients/typescript/src/tokens.ts'

/** Where tokens come from. */
export type Credentials = {
  current(): Promise<string>
  /** After a token was refused: whether there is another. */
  renew(refused: string): Promise<boolean>
}

/** A token that was given, which nobody renews. */
export const givenToken = (token: string) => (): Credentials => ({
  current: async () => token,
  renew: async () => false,
})

/** A token in a file that another program may write anew. */
export const tokenInFile = (path: string) => (): Credentials => ({
  current: () => readSecret(path),
  renew: async (refused) => (await readSecret(path)) !== refused,
})

/** Who asks again is the program that started the command. */
const ONCE = retryLimits({ retries: 0 })

type Application = { readonly app: string; readonly secret: string; readonly scopes: readonly string[] | undefined }

/** Tokens with which an application acts for itself, for the interface of assistants alone, each renewed before it ends. */
export const tokensOfApplication =
  ({ app, secret, scopes }: Application) =>
  (ask: Fetch, address: string): Credentials => {
    const fetch: Fetch = async (request: Request) => {
      const body = new URLSearchParams(await request.text())
      body.set('resource', `${address}/mcp`)
      return ask(new Request(request.url, { method: 'POST', body }))
    }
    const grant = { clientId: app, clientSecret: secret, scope: scopes?.join(' ') }
    const tokens = new Tokens(address, grant, { fetch, limits: ONCE, timer })
    return {
      current: () => tokens.current(),
      async renew(refused) {
        await tokens.forget(refused)
        return true
      },
    }
  }

/** The one line of a file. Throws ConfigError. */
export async function readSecret(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new ConfigError(`${path} cannot be read (${codeOf(error)}).`)
  })
  const secret = text.trim()
  // What a header can carry.
  if (!/^[!-~]{1,4096}$/.test(secret)) throw new ConfigError(`${path} must hold one word and nothing else.`)
  return secret
}
