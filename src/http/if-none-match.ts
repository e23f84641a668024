/**
 * Whether a reader who sends this `If-None-Match` has the version with this ETag: weak comparison (RFC 9110 §8.8.3.2, §13.1.2).
 * Not by the package `fresh`: it answers nobody who sends `Cache-Control: no-cache`, and every `fetch` does so beside an
 * `If-None-Match` of its caller's.
 */
export function isKnownVersion(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag) return true
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return header.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag))
}
