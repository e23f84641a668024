import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'

/** Whether a body comes with a request, however long it is (RFC 9112 §6.3); most requests have none. */
export function hasBody(request: IncomingMessage | Http2ServerRequest): boolean {
  if ('stream' in request) return !request.stream.endAfterHeaders
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  return encoding !== undefined || (length !== undefined && length !== '0')
}
