import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'

/** Reports whether a request has a body (RFC 9112 §6.3). */
export function hasBody(request: IncomingMessage | Http2ServerRequest): boolean {
  if ('stream' in request) return !request.stream.endAfterHeaders
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  return encoding !== undefined || (length !== undefined && length !== '0')
}
