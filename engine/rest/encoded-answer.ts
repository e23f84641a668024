import xxhash, { type XXHashAPI } from 'xxhash-wasm'
import { JSON_API } from '../http/media-types.ts'
import type { Answer } from './answer.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** ETags need no cryptographic digest, which is several times slower. */
let hash: XXHashAPI['h64Raw'] | undefined

/** Compiles the hash of ETags. Wait for it before encoding a body. */
export async function readyEtags(): Promise<void> {
  hash ??= (await xxhash()).h64Raw
}

export type EncodedAnswer = {
  readonly status: number
  /** Includes the ETag, but not the content type. */
  readonly headers: Readonly<Record<string, string>>
  readonly type: string
  readonly etag: string | undefined
  readonly bytes: Buffer | undefined
}

export function encodeAnswer({ status, headers, body, type }: Answer): EncodedAnswer {
  const mediaType = type === 'jsonApi' ? JSON_API : JSON_TYPE
  if (body === undefined) return { status, headers, type: mediaType, etag: undefined, bytes: undefined }
  const bytes = Buffer.from(body)
  const etag = status === 200 ? etagOf(bytes) : undefined
  return { status, headers: etag === undefined ? headers : { ...headers, etag }, type: mediaType, etag, bytes }
}

export function encodedJson(bytes: Buffer): EncodedAnswer {
  const etag = etagOf(bytes)
  return { status: 200, headers: { etag }, type: JSON_TYPE, etag, bytes }
}

export function etagOf(body: Buffer): string {
  if (!hash) throw new Error('readyEtags() has not been waited for')
  return `W/"${hash(body).toString(36)}"`
}
