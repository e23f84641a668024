import type { IncomingMessage } from 'node:http'
import { headersTooLarge } from '../errors.ts'

/** Maximum size of the request line and headers. It equals the limit of Node's HTTP/1.1 parser. */
export const MAX_HEADER_BYTES = 16_384

/** Throws 431 if the headers of an HTTP/2 request are too long. Node refuses such requests of HTTP/1.1 itself. */
export function refuseLargeHeaders({ httpVersionMajor, rawHeaders }: IncomingMessage): void {
  if (httpVersionMajor !== 2) return
  let bytes = 0
  for (const text of rawHeaders) bytes += text.length
  if (bytes > MAX_HEADER_BYTES) throw headersTooLarge()
}
