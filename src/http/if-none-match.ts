/**
 * Compares an `If-None-Match` with an ETag, by weak comparison (RFC 9110 §8.8.3.2). The package `fresh` is not used: it
 * ignores requests with `Cache-Control: no-cache`, and every `fetch` sends that beside its caller's `If-None-Match`.
 */
export function isKnownVersion(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag) return true
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return header.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag))
}
