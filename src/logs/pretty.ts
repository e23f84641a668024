import type { Writable } from 'node:stream'
import { isatty } from 'node:tty'
import pretty from 'pino-pretty'

type Line = Readonly<Record<string, unknown>>

/** What a line about a request says in its sentence already. */
const TOLD = ['method', 'path', 'status', 'milliseconds']

/** Writes lines for people: a time, a level, a sentence, and on the same line whatever else there is. */
export const prettyStream = (destination: number | Writable = 1, colorize = isatty(1)): Writable =>
  pretty({
    destination: destination as never,
    colorize,
    sync: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: ['pid', 'hostname', 'reqId', ...TOLD].join(','),
    messageFormat: (line, messageKey) => (isOfRequest(line) ? describeRequest(line) : String(line[messageKey] ?? '')),
  })

const isOfRequest = (line: Line) => line.path !== undefined && line.status !== undefined

const describeRequest = ({ method, path, status, milliseconds }: Line) =>
  `${method} ${path} ${status} ${milliseconds} ms`
