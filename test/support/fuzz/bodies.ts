/** The boundary between the parts of a multipart body. */
const EDGE = 'edge'

/** A body as it is sent in one of the media types of the document. */
export function written(type: string, body: unknown): { readonly type: string; readonly text: string } {
  if (type === 'multipart/form-data') return { type: `${type}; boundary=${EDGE}`, text: asParts(body) }
  if (type === 'application/x-www-form-urlencoded') return { type, text: asForm(body) }
  return { type, text: JSON.stringify(body) ?? '' }
}

const asForm = (body: unknown) =>
  flat(body)
    .map(([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&')

const asParts = (body: unknown) =>
  `${flat(body)
    .map(([name, value]) => `--${EDGE}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')}--${EDGE}--\r\n`

/** `location[user_id]`, and `list[][name]` for what is in lists. */
function flat(value: unknown, name = ''): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item) => flat(item, `${name}[]`))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, item]) => flat(item, name === '' ? key : `${name}[${key}]`))
  return [[name, value === null || value === undefined ? '' : String(value)]]
}
