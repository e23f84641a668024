import type { FastifyReply, FastifyRequest } from 'fastify'
import { compressOnce } from '../http/compress.ts'
import { JSON_API } from '../http/media-types.ts'
import { type Answer, etagOf } from './answer.ts'

/** Sends an answer: a 200 with its weak ETag, or 304 to a reader who has it (decisions §2). */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body, type }: Answer,
): FastifyReply {
  reply.headers(headers).code(status)
  if (body === undefined) return reply.send()
  // Encoded once, for the tag and for the wire.
  const bytes = Buffer.from(body)
  if (status === 200 && isTold(request, reply, etagOf(bytes))) return reply.code(304).send()
  return reply.type(type === 'jsonApi' ? JSON_API : 'application/json; charset=utf-8').send(bytes)
}

/** JSON that is always the same: encoded and tagged once, and compressed once in each coding. */
export type KeptAnswer = { readonly bytes: Buffer; readonly etag: string }

export function keepAnswer(body: string): KeptAnswer {
  const bytes = compressOnce(Buffer.from(body))
  return { bytes, etag: etagOf(bytes) }
}

/** Sends such an answer: 200 with its ETag, or 304. */
export function sendKept(request: FastifyRequest, reply: FastifyReply, { bytes, etag }: KeptAnswer): FastifyReply {
  if (isTold(request, reply, etag)) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(bytes)
}

/** Tags the answer, whatever coding it comes in: the tag is weak. True for a reader who has it. */
function isTold({ method, headers }: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag)
  return (method === 'GET' || method === 'HEAD') && isKnown(headers['if-none-match'], etag)
}

/**
 * Weak comparison (RFC 9110 §8.8.3.2). Not by the package `fresh`: it answers nobody who sends `Cache-Control: no-cache`, and
 * every `fetch` does so beside an `If-None-Match` of its caller's.
 */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return header.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag))
}
