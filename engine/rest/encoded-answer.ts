import xxhash, { type XXHashAPI } from 'xxhash-wasm'
import { JSON_API } from '../http/media-types.ts'
import type { Answer } from './answer.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** An ETag needs no cryptographic digest, which would cost several times this. */
let hash: XXHashAPI['h64Raw'] | undefined

/** Compiles the hash of ETags, which no body can be encoded without. */
export async function readyEtags(): Promise<void> {
  hash ??= (await xxhash()).h64Raw
}

/** An answer as it goes over the wire, any number of times. */
export type EncodedAnswer = {
  readonly status: number
  /** With the ETag; the type of the body goes with the body. */
  readonly headers: Readonly<Record<string, string>>
  readonly type: string
  readonly etag: string | undefined
  readonly bytes: Buffer | undefined
}

/** Encodes the body once, for the weak ETag of a 200 and for the wire. */
export function encodeAnswer({ status, headers, body, type }: Answer): EncodedAnswer {
  const mediaType = type === 'jsonApi' ? JSON_API : JSON_TYPE
  if (body === undefined) return { status, headers, type: mediaType, etag: undefined, bytes: undefined }
  const bytes = Buffer.from(body)
  const etag = status === 200 ? etagOf(bytes) : undefined
  return { status, headers: etag === undefined ? headers : { ...headers, etag }, type: mediaType, etag, bytes }
}

/** Returns a 200 whose body is this JSON. */
export function encodedJson(bytes: Buffer): EncodedAnswer {
  const etag = etagOf(bytes)
  return { status: 200, headers: { etag }, type: JSON_TYPE, etag, bytes }
}

/** Returns the weak ETag of a body. */
export function etagOf(body: Buffer): string {
  if (!hash) throw new Error('readyEtags() has not been waited for')
  return `W/"${hash(body).toString(36)}"`
}
