import { typedCommand } from '@campus/engine/base/text/typed-command'
import type { Config } from '../settings/config.ts'

type Facts = {
  readonly address: string
  readonly config: Config
  /** Lines of an optional part about the content of the database. */
  readonly introduction: readonly string[] | undefined
  /** Address of the page that opens the first account of an empty school. */
  readonly firstLink: string | undefined
}

/** Returns the text that is printed after a start: the address, and the next steps. */
export function banner({ address, config, introduction, firstLink }: Facts): string {
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
  lines.push(...(introduction ?? howToBegin()))
  return [...lines, 'Ctrl-C stops it.', ''].join('\n')
}

function describeListener({ socket, host, port }: Config): string {
  const address = socket ? `unix:${socket.path}` : `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  return `by way of a proxy, which reaches it at ${address}`
}

const howToBegin = () => [`An application is made by: ${typedCommand('app create --name NAME')}`, '']
