import type { Writable } from 'node:stream'
import { isatty } from 'node:tty'
import pretty from 'pino-pretty'
import { printableLines } from '../text/printable.ts'

type Line = Readonly<Record<string, unknown>>

/** Fields that the message of a request line contains already. */
const IN_MESSAGE = ['method', 'path', 'status', 'milliseconds']

export function prettyStream(destination: number | Writable = 1, colorize = isatty(1)): Writable {
  const stream = pretty({
    destination,
    colorize,
    sync: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: ['pid', 'hostname', 'reqId', ...IN_MESSAGE].join(','),
    messageFormat: (line, messageKey) =>
      indented(isOfRequest(line) ? describeRequest(line) : String(line[messageKey] ?? '')),
  })
  const write = stream.write.bind(stream)
  return Object.assign(stream, { write: (line: string) => write(withoutControls(line)) })
}

/** Replaces control characters in a line of JSON, raw or escaped. Keeps line breaks. */
const withoutControls = (line: string): string =>
  printableLines(
    line.replace(/(\\\\)|\\u00(?:0[0-8b-f]|1[0-9a-f]|7f|[89][0-9a-f])|\\[bfr]/gi, (_, pair) => pair ?? '\u{fffd}'),
  )

/** Indents further lines, so that none looks like a line of the log. */
const indented = (text: string) => text.replaceAll('\n', '\n    ')

const isOfRequest = (line: Line) => line.path !== undefined && line.status !== undefined

const describeRequest = ({ method, path, status, milliseconds }: Line) =>
  `${method} ${path} ${status} ${milliseconds} ms`
