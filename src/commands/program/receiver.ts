import { once } from 'node:events'
import { join } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { type Config, ConfigError } from '../../base/config.ts'
import { print } from '../../base/text/printable.ts'
import type { Environment } from '../database-command.ts'
import { configOf } from './run.ts'

type Flags = {
  readonly host: string
  readonly port: number
  readonly secret?: string
  readonly status: number
  readonly retryAfter?: number
  readonly delay: number
  readonly hang?: true
  readonly json?: true
  readonly data?: string
}

/** `campus receiver`: the webservice of a campus, for developers who want to see its webhooks. */
export function addReceiverCommand(program: Command, env: Environment): void {
  program
    .command('receiver')
    .description('run a webservice that shows the webhooks it gets, for development')
    .option('--host <name>', 'the address to listen on', 'localhost')
    .option('--port <number>', 'the port to listen on', within(0, 65_535), 8444)
    .option('--secret <secret>', 'check key and signature with this secret')
    .option('--status <number>', 'what to answer', within(200, 599), 204)
    .option('--retry-after <seconds>', 'what to ask for in Retry-After', within(0, 1_000_000))
    .option('--delay <milliseconds>', 'how long to wait before answering', within(0, 600_000), 0)
    .option('--hang', 'never answer')
    .option('--json', 'print one line of JSON for each request')
    .option('--data <folder>', 'where its certificate is kept, in the folder receiver (CAMPUS_DATA)')
    // Its host and port are its own, not those of the service.
    .action((flags: Flags) => run(flags, configOf(env, flags.data === undefined ? {} : { data: flags.data })))
}

async function run(flags: Flags, { data }: Config): Promise<void> {
  const { loadTls } = await import('../../http/tls.ts')
  const { startReceiver } = await import('../receiver/receiver.ts')
  const { describeWebhook } = await import('../receiver/describe-webhook.ts')
  const folder = join(data, 'receiver')
  const { hang = false, json = false, delay, retryAfter, secret, host, port, status } = flags
  const behaviour = { host, port, secret, status, retryAfterSeconds: retryAfter, delayMs: delay, hangs: hang }
  const receiver = await startReceiver(
    { ...behaviour, tls: await loadTls({ data: folder, tls: undefined }) },
    (webhook) => print(json ? webhook : describeWebhook(webhook, new Date())),
  ).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`--port and --host must be free and of this machine; ${host}:${port} is not (${error.code}).`)
  })
  if (!json) print(banner(receiver.url, join(folder, 'tls', 'cert.pem'), secret))
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

function within(min: number, max: number) {
  return (text: string) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
    }
    return value
  }
}
