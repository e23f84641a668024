import { headersTooLarge } from '../errors.ts'

/** Maximum size of the request line and headers. The HTTP/1.1 parser of Node.js has the same limit. */
export const MAX_HEADER_BYTES = 16_384

/** Throws 431 if the headers of an HTTP/2 request are too long. Node.js itself refuses such requests of HTTP/1.1. */
export function refuseLargeHeaders({ httpVersionMajor, rawHeaders }: Head): void {
  if (httpVersionMajor !== 2) return
  let bytes = 0
  for (const text of rawHeaders) bytes += text.length
  if (bytes > MAX_HEADER_BYTES) throw headersTooLarge()
}

type Head = { readonly httpVersionMajor: number; readonly rawHeaders: readonly string[] }
