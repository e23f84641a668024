const etags = new WeakMap<object, string>()

/** Stores the ETag of a returned record. */
export function rememberEtag(record: unknown, response: Response): void {
  const etag = response.headers.get('etag')
  if (etag !== null && typeof record === 'object' && record !== null) etags.set(record, etag)
}

/** Returns the ETag of a record that `get` returned, for `ifMatch`. Throws a TypeError for any other object. */
export function etagOf(record: object): string {
  const etag = etags.get(record)
  if (etag === undefined)
    throw new TypeError('This object has no ETag. Pass the object that `get` returned, not a copy of it.')
  return etag
}
