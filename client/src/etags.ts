const etags = new WeakMap<object, string>()

/** Keeps the ETag of a record that was read. */
export function rememberEtag(record: unknown, response: Response): void {
  const etag = response.headers.get('etag')
  if (etag !== null && typeof record === 'object' && record !== null) etags.set(record, etag)
}

/** Returns the version of a record that `get` returned, for `ifMatch`. Throws a TypeError for every other value. */
export function etagOf(record: object): string {
  const etag = etags.get(record)
  if (etag === undefined) throw new TypeError('This record has no version: pass what `get` returned, not a copy of it.')
  return etag
}
