import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { HttpError, headersTooLarge, malformed } from '../errors.ts'
import { headersOfEveryResponse } from './context.ts'
import { ERROR_HEADERS, errorBody } from './errors.ts'

const LINGER_MILLISECONDS = 2_000

/**
 * Answers malformed HTTP/1.1 on the bare connection, like every other error. Discards what the client still sends until it has read the
 * response (RFC 9112 §9.6): if the connection were closed at once, the client's system would discard the response.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.writableEnded) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  // Keeps the parser from refusing the rest again.
  socket.removeAllListeners('data').resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS)
  socket.once('close', () => clearTimeout(timer))
  socket.end(responseText(refusalOf(error.code)))
}

function refusalOf(code: string | undefined): HttpError {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge()
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new HttpError(408, 'The request did not arrive in time.')
  return malformed('This is not a request that HTTP/1.1 allows.')
}

function responseText(httpError: HttpError): string {
  const body = errorBody(httpError)
  const headers = {
    ...headersOfEveryResponse({ id: randomUUID(), isOfApi: true, seconds: 0 }),
    ...ERROR_HEADERS,
    date: new Date().toUTCString(),
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${httpError.status} ${httpError.error}`, ...lines, '', body].join('\r\n')
}
