import { typedCommand } from '@campus/engine/base/text/typed-command'
import { curlOf } from '@campus/engine/http/certificate-to-trust'
import type { Started } from '@campus/intranet/server/part'
import type { Config } from '@campus/intranet/settings/config'
import { type Demonstration, findDemonstration } from './demonstration.ts'

/** Returns how to sign in and how to call the service, or undefined if the database holds no demonstration. */
export async function introduceDemonstration({
  address,
  config,
  database,
}: Started): Promise<readonly string[] | undefined> {
  const demonstration = await findDemonstration(config, database)
  if (!demonstration) return undefined
  const { uid, secret } = demonstration
  const firstSteps = secret === undefined ? [] : describeFirstSteps(address, config, { uid, secret })
  return [...describeApplication(demonstration), ...describePeople(address, demonstration), ...firstSteps]
}

function describeApplication({ uid, secret }: Demonstration): string[] {
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
