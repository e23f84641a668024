import type { FastifyReply, FastifyRequest } from 'fastify'
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
  if (status === 200) {
    const etag = etagOf(bytes)
    reply.header('etag', etag)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (isRead && isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
  }
  return reply.type(type === 'jsonApi' ? JSON_API : 'application/json; charset=utf-8').send(bytes)
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
