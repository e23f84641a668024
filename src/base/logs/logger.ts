import { type Logger, pino } from 'pino'
import type { Config } from '../config.ts'

export type LogConfig = Pick<Config, 'logLevel' | 'logFormat'>

/** The log of this process, on standard output: lines of JSON, or text on a terminal. */
export async function createLogger({ logLevel: level, logFormat }: LogConfig): Promise<Logger> {
  if (logFormat === 'json' || level === 'silent') return pino({ level })
  // Most services have no terminal, and it is not loaded for them.
  const { prettyStream } = await import('./pretty.ts')
  return pino({ level }, prettyStream())
}

/** Writes a text for people after all that was logged: a line of JSON reaches standard output some time after it was logged. */
export function writeAfter(log: Logger, text: string): void {
  const stream: NodeJS.WritableStream | undefined = Reflect.get(log, pino.symbols.streamSym)
  const isLate = stream !== undefined && 'flushSync' in stream
  if (isLate) stream.write(text)
  else process.stdout.write(text)
}
