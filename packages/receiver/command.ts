import { once } from 'node:events'
import { join } from 'node:path'
import { ConfigError } from '@campus/engine/base/config-error'
import { print } from '@campus/engine/base/text/printable'
import { configOf } from '@campus/intranet/cli/program/run'
import type { CommandLine } from '@campus/intranet/server/part'
import type { Config } from '@campus/intranet/settings/config'
import { type Command, InvalidArgumentError } from 'commander'

type Flags = {
  readonly host: string
  readonly port: number
  readonly secret?: string
  readonly status?: number
  readonly webhooks?: true
  readonly retryAfter?: number
  readonly delay: number
  readonly hang?: true
  readonly json?: true
  readonly data?: string
}

/** `campus receiver`: the webservice of a campus, or the receiver of an application, for developers who want to see webhooks. */
export function addReceiverCommand(program: Command, line: CommandLine): void {
  program
    .command('receiver')
    .description('run a webservice that shows the webhooks it gets, for development')
    .option('--host <name>', 'the address to listen on', 'localhost')
    .option('--port <number>', 'the port to listen on', within(0, 65_535), 8444)
    .option('--secret <secret>', 'check key and signature with this secret')
    .option('--status <number>', 'what to answer; 204 unless said', within(200, 599))
    .option(
      '--webhooks',
      'refuse what is not right, as receivers of webhooks of applications do: 400, 401, and 208 for a repeat',
    )
    .option('--retry-after <seconds>', 'what to ask for in Retry-After', within(0, 1_000_000))
    .option('--delay <milliseconds>', 'how long to wait before answering', within(0, 600_000), 0)
    .option('--hang', 'never answer')
    .option('--json', 'print one line of JSON for each request')
    .option('--data <folder>', 'where its certificate is kept, in the folder receiver (CAMPUS_DATA)')
    // Its host and port are its own, not those of the service.
    .action((flags: Flags) => run(flags, configOf(line, flags.data === undefined ? {} : { data: flags.data })))
}

async function run(flags: Flags, { data }: Config): Promise<void> {
  const { loadTls } = await import('@campus/engine/http/tls')
  const { failureOf } = await import('@campus/engine/http/listeners')
  const { startReceiver } = await import('./receiver.ts')
  const { describeWebhook } = await import('./describe-webhook.ts')
  const folder = join(data, 'receiver')
  const { hang = false, json = false, webhooks = false, delay, retryAfter, secret, host, port } = flags
  const status = flags.status ?? (webhooks ? undefined : 204)
  const behaviour = { host, port, secret, status, retryAfterSeconds: retryAfter, delayMs: delay, hangs: hang }
  const receiver = await startReceiver(
    { ...behaviour, tls: await loadTls({ data: folder, tls: undefined }) },
    (webhook) => print(json ? webhook : describeWebhook(webhook, new Date())),
  ).catch((error) => {
    const { address, code } = failureOf(error)
    throw new ConfigError(
      `--port and --host must be free and of this machine; port ${port} of ${address ?? host} is not (${code}).`,
    )
  })
  const ca = join(folder, 'tls', 'cert.pem')
  if (!json) print(webhooks ? applicationBanner(receiver.url, ca, secret) : banner(receiver.url, ca, secret))
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  await receiver.close()
}

const banner = (url: string, ca: string, secret: string | undefined) => `
A campus' webservice for development listens at ${url}

Let the server send to it: start the server with
  CAMPUS_OUTGOING_ALLOW=localhost CAMPUS_OUTGOING_CA='${ca}'
and set the endpoint of a campus to it, as Advanced Staff:
  PATCH /v2/endpoints/:id  {"endpoint": {"url": "${url}", "secret": ${secret === undefined ? '"…"' : 'the one you gave here'}}}

Ctrl-C stops it.
`

const applicationBanner = (url: string, ca: string, secret: string | undefined) => `
A receiver of webhooks of applications for development listens at ${url}

Let the server send to it: start the server with
  CAMPUS_OUTGOING_ALLOW=localhost CAMPUS_OUTGOING_CA='${ca}'
and subscribe an application:
  campus webhook create --app UID --model location --event create --url ${url} ${secret === undefined ? '' : '--secret … '}--json

Ctrl-C stops it.
`

function within(min: number, max: number) {
  return (text: string) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
    }
    return value
  }
}
