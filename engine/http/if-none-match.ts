/**
 * Compares an `If-None-Match` or `If-Match` with an ETag, by weak comparison (RFC 9110 §8.8.3.2). The package `fresh` ignores requests
 * with `Cache-Control: no-cache`, which every `fetch` sends beside an explicit `If-None-Match`.
 */
export function isKnownVersion(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || isAnyVersion(header)) return true
  const opaque = etag.replace(/^W\//, '')
  // A tag may contain commas and asterisks.
  return [...header.matchAll(/"[^"]*"/g)].some(([tag]) => tag === opaque)
}

/** Reports whether a header is `*`. An asterisk within a list of ETags does not count. */
export const isAnyVersion = (header: string | undefined): boolean => header?.trim() === '*'
