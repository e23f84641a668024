import { type Logger, pino } from 'pino'

export type LogConfig = {
  readonly logLevel: string
  readonly logFormat: 'json' | 'pretty'
}

export async function createLogger({ logLevel: level, logFormat }: LogConfig): Promise<Logger> {
  if (logFormat === 'json' || level === 'silent') return pino({ level }, standardOutput())
  // Loaded only with a terminal, which most services do not have.
  const { prettyStream } = await import('./pretty.ts')
  return pino({ level }, prettyStream())
}

/** Maximum length of the lines that wait while standard output cannot be written. Later lines are dropped. */
const MAX_WAITING = 1 << 20

/**
 * Opens standard output. If a write fails because the terminal is closed or the disk is full, lines wait until a later write
 * succeeds, and `flushSync` does nothing. The `flushSync` of pino would retry forever and block the process.
 */
function standardOutput(): ReturnType<typeof pino.destination> {
  const stream = pino.destination({ dest: 1, sync: false, maxLength: MAX_WAITING })
  let isFailing = false
  stream.on('error', () => {
    isFailing = true
  })
  stream.on('write', () => {
    isFailing = false
  })
  const flush = stream.flushSync.bind(stream)
  return Object.assign(stream, { flushSync: () => (isFailing ? undefined : flush()) })
}

/** Writes a text after all logged lines, which reach standard output later. */
export function writeAfter(log: Logger, text: string): void {
  const stream: NodeJS.WritableStream | undefined = Reflect.get(log, pino.symbols.streamSym)
  const isLate = stream !== undefined && 'flushSync' in stream
  if (isLate) stream.write(text)
  else process.stdout.write(text)
}
