import type { FastifyReply, FastifyRequest } from 'fastify'
import { compressOnce } from '../http/compress.ts'
import { isKnownVersion } from '../http/if-none-match.ts'
import { type EncodedAnswer, encodedJson } from './encoded-answer.ts'

/** Encodes constant JSON once, and compresses it once in each coding. */
export function encodeOnce(body: string | Buffer): EncodedAnswer {
  return encodedJson(compressOnce(Buffer.from(body)))
}

/** Sends a response, or 304 if the client has it (spec: answers 6). */
export function sendEncoded(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, type, etag, bytes }: EncodedAnswer,
): FastifyReply {
  reply.headers(headers).code(status)
  if (bytes === undefined) return reply.send()
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (etag !== undefined && isRead && isKnownVersion(request.headers['if-none-match'], etag)) {
    return reply.code(304).send()
  }
  return reply.header('content-type', type).send(bytes)
}
