import type { FastifyReply, FastifyRequest } from 'fastify'
import { compressOnce } from '../http/compress.ts'
import { okay } from './answer.ts'
import { type EncodedAnswer, encodeAnswer } from './encoded-answer.ts'

/** JSON that is always the same: encoded and tagged once, and compressed once in each coding. */
export function keepAnswer(body: string): EncodedAnswer {
  const encoded = encodeAnswer(okay(body))
  return { ...encoded, bytes: encoded.bytes && compressOnce(encoded.bytes) }
}

/** Sends an answer: a 200 with its weak ETag, whatever coding it comes in, or 304 to a reader who has it (decisions §2). */
export function sendEncoded(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, etag, bytes }: EncodedAnswer,
): FastifyReply {
  reply.headers(headers).code(status)
  if (bytes === undefined) return reply.send()
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (etag !== undefined && isRead && isKnown(request.headers['if-none-match'], etag)) {
    return reply.removeHeader('content-type').code(304).send()
  }
  return reply.send(bytes)
}

/**
 * Weak comparison (RFC 9110 §8.8.3.2). Not by the package `fresh`: it answers nobody who sends `Cache-Control: no-cache`, and
 * every `fetch` does so beside an `If-None-Match` of its caller's.
 */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag) return true
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return header.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag))
}
