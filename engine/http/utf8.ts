import { isUtf8 } from 'node:buffer'
import type { Message } from '../base/languages/say.ts'
import { malformed } from '../errors.ts'

/** Decodes bytes from a client. Throws 400 if they are not UTF-8. */
export function decodeUtf8(bytes: Buffer, fault: Message = 'The body is not valid UTF-8.'): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  throw malformed(fault)
}
