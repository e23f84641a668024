import { typedCommand } from '@campus/engine/base/text/typed-command'
import { curlOf } from '@campus/engine/http/certificate-to-trust'
import type { Config } from '@campus/intranet/settings/config'
import type { Demonstration } from './demonstration.ts'

type Facts = {
  readonly address: string
  readonly config: Config
  readonly demonstration: Demonstration | undefined
  /** Where the first account of an empty school is opened. */
  readonly firstLink: string | undefined
}

/** What a newcomer needs to know of a server that has just started. */
export function banner({ address, config, demonstration, firstLink }: Facts): string {
  const lines = [
    '',
    `Campus Intranet serves ${address}`,
    ...(config.isBehindProxy ? [describeListener(config)] : []),
    '',
  ]
  if (firstLink)
    lines.push(
      'The school is empty. Open the first account of an administrator, once, within a day:',
      `  ${address}${firstLink}`,
      '',
    )
  lines.push(...(demonstration ? describeDemonstration(demonstration) : howToBegin()))
  if (demonstration) lines.push(...describePeople(address, demonstration))
  if (demonstration?.secret)
    lines.push(...describeFirstSteps(address, config, { ...demonstration, secret: demonstration.secret }))
  return [...lines, 'Ctrl-C stops it.', ''].join('\n')
}

function describeListener({ socket, host, port }: Config): string {
  const address = socket ? `unix:${socket.path}` : `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  return `by way of a proxy, which reaches it at ${address}`
}

const howToBegin = () => [`An application is made by: ${typedCommand('app create --name NAME')}`, '']

function describeDemonstration({ uid, secret }: Demonstration): string[] {
  const renewal = [`  secret  was changed; another one is made by: ${typedCommand(`app rotate-secret ${uid}`)}`, '']
  return ['The demonstration application:', `  id      ${uid}`, ...(secret ? [`  secret  ${secret}`, ''] : renewal)]
}

function describePeople(address: string, { people }: Demonstration): string[] {
  if (people.length === 0) return []
  const width = Math.max(...people.map(({ login }) => login.length))
  return [
    `People to sign in as at ${address}/sign-in`,
    ...people.map(({ login, password, kind }) => `  ${login.padEnd(width)}  ${password}  (${kind})`),
    '',
  ]
}

type Credentials = { readonly uid: string; readonly secret: string }

function describeFirstSteps(address: string, config: Config, { uid, secret }: Credentials): string[] {
  const curl = `${curlOf(config)} -s`
  const credentials = `-d grant_type=client_credentials -d client_id=${uid} -d client_secret=${secret}`
  const findToken = `sed 's/.*"access_token": *"\\([^"]*\\)".*/\\1/'`
  return [
    'Two commands to paste into another terminal:',
    '',
    `TOKEN=$(${curl} ${credentials} ${address}/oauth/token | ${findToken})`,
    `${curl} -H "Authorization: Bearer $TOKEN" '${address}/v2/users?per_page=3'`,
    '',
  ]
}
