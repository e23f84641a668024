import { existsSync, readFileSync } from 'node:fs'
import { ConfigError } from '@campus/engine/base/config-error'
import { certificateToTrust } from '@campus/engine/http/certificate-to-trust'
import { isLoopbackHost } from '@campus/engine/http/loopback'
import { withExamples } from '@campus/intranet/cli/program/examples'
import { configOf, flagOf } from '@campus/intranet/cli/program/run'
import { secureAddress, words } from '@campus/intranet/cli/program/values'
import type { Environment } from '@campus/intranet/server/database-command'
import type { CommandLine } from '@campus/intranet/server/part'
import type { Config } from '@campus/intranet/settings/config'
import type { Command } from 'commander'

/** Variables for secrets, since other programs can read command lines. */
const TOKEN = 'MCP_TOKEN'
const SECRET = 'MCP_SECRET'

type Flags = {
  readonly to?: string
  readonly tokenFile?: string
  readonly app?: string
  readonly secretFile?: string
  readonly scopes?: readonly string[]
  readonly data?: string
}

/** Adds `campus mcp`, which connects an assistant on this machine to a service. */
export function addMcpCommand(program: Command, line: CommandLine): void {
  withExamples(
    program.command('mcp'),
    `${TOKEN}=… campus mcp --to https://intranet.example.org`,
    'campus mcp --app u-4f1c --secret-file secret.txt --scopes "public projects"',
  )
    .description(
      `connect an assistant on this machine to a service, by the Model Context Protocol over standard input and output; a token comes by ${TOKEN} or --token-file, the secret of --app by ${SECRET} or --secret-file`,
    )
    .option('--to <address>', 'where the service is; the one of these settings unless said', secureAddress)
    .option('--token-file <file>', 'a file with a token, read again for every message')
    .option('--app <uid>', 'uid of an application of that service, which acts for itself')
    .option('--secret-file <file>', 'a file with its secret')
    .option('--scopes <scopes>', 'what the application asks for', words)
    .addOption(flagOf('CAMPUS_DATA'))
    .action(async (flags: Flags) => {
      const config = configOf(line, flags.data === undefined ? {} : { data: flags.data })
      const address = (flags.to ?? config.baseUrl).replace(/\/mcp$/, '')
      const { bridgeAssistant } = await import('./bridge/bridge.ts')
      const credentials = await credentialsOf(flags, line.env)
      const streams = { input: process.stdin, output: process.stdout }
      await bridgeAssistant({ address, ca: certificateOf(config, address), credentials }, streams)
    })
}

async function credentialsOf({ app, scopes, secretFile, tokenFile }: Flags, env: Environment) {
  const { givenToken, readSecret, tokenInFile, tokensOfApplication } = await import('./bridge/credentials.ts')
  if (app !== undefined) {
    const secret = secretFile === undefined ? env[SECRET] : await readSecret(secretFile)
    if (!secret) throw new ConfigError(`The secret of the application is needed, in ${SECRET} or by --secret-file.`)
    return tokensOfApplication({ app, secret, scopes })
  }
  if (tokenFile !== undefined) return tokenInFile(tokenFile)
  const token = env[TOKEN]
  if (!token) throw new ConfigError(`A token is needed, in ${TOKEN} or by --token-file, or an application by --app.`)
  return givenToken(token)
}

/** Returns the self-signed certificate of a service on this machine. */
function certificateOf(config: Config, address: string): string | undefined {
  if (!isLoopbackHost(new URL(address).host)) return undefined
  const file = certificateToTrust({ ...config, baseUrl: address })
  return file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
