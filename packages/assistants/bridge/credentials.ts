import { readFile } from 'node:fs/promises'
import { codeOf } from '@campus/engine/base/caught'
import { ConfigError } from '@campus/engine/base/config-error'
import type { Fetch } from '../../../clients/typescript/src/attempt.ts'
import { retryLimits } from '../../../clients/typescript/src/retries.ts'
import { timer } from '../../../clients/typescript/src/time.ts'
import { Tokens } from '../../../clients/typescript/src/tokens.ts'

export type Credentials = {
  current(): Promise<string>
  /** Returns whether there is another token after one was refused. */
  renew(refused: string): Promise<boolean>
}

export const givenToken = (token: string) => (): Credentials => ({
  current: async () => token,
  renew: async () => false,
})

/** Reads the token for each message, since another program may renew it. */
export const tokenInFile = (path: string) => (): Credentials => ({
  current: () => readSecret(path),
  renew: async (refused) => (await readSecret(path)) !== refused,
})

/** The program that started the command retries. */
const ONCE = retryLimits({ retries: 0 })

type Application = { readonly app: string; readonly secret: string; readonly scopes: readonly string[] | undefined }

/** Requests tokens of an application that are valid for /mcp only, and renews them before they expire. */
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

/** Reads the single word of a file. Throws ConfigError. */
export async function readSecret(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new ConfigError(`${path} cannot be read (${codeOf(error)}).`)
  })
  const secret = text.trim()
  if (!/^[!-~]{1,4096}$/.test(secret)) throw new ConfigError(`${path} must hold one word and nothing else.`)
  return secret
}
