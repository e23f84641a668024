const MARK = '[redacted]'
/** Shorter texts occur in answers by chance, so such answers are not stored. */
const MIN_SECRET_LENGTH = 4
const NOT_STORED = '(not stored: the secret is too short to redact safely)'
/** Searching for more would block the process. */
const MAX_SECRETS = 200
const NOT_SEARCHED = '(not stored: meta has too many values to redact)'

/**
 * Returns an answer as text without the secrets that were sent. Finds each secret as it is and in JSON, URLs, HTML,
 * hexadecimal digits and base64. Removes the end of a cut answer, which may hold half of a secret.
 */
export function redact(answer: Buffer, secrets: readonly string[], isCut: boolean): string {
  if (answer.length === 0) return ''
  const present = secrets.filter((secret) => secret !== '')
  if (present.some((secret) => secret.length < MIN_SECRET_LENGTH)) return NOT_STORED
  if (present.length > MAX_SECRETS) return NOT_SEARCHED
  const patterns = [...new Set(present.flatMap(patternsOf))].sort((a, b) => b.length - a.length)
  let text = answer.toString('utf8').replaceAll('\0', '')
  // Ignores case, since `%c3` and `%C3` are the same.
  for (const pattern of patterns) text = text.replace(new RegExp(pattern, 'gi'), MARK)
  if (!isCut || patterns.length === 0) return text
  return text.slice(0, Math.max(0, text.length - Math.max(...patterns.map((pattern) => pattern.length))))
}

/** Node's message about a certificate for another host. It repeats names that the endpoint chose. */
const OTHER_HOST = /^(.*?does not match certificate's altnames: )(.*?)( \(ERR_TLS_CERT_ALTNAME_INVALID\))?$/s

/** Returns the error of an attempt as it is stored. Redacts only text that the endpoint chose. */
export const redactError = (error: string, secrets: readonly string[]): string =>
  error.replace(
    OTHER_HOST,
    (_, before: string, names: string, code = '') => before + redact(Buffer.from(names), secrets, false) + code,
  )

/** Returns the texts and numbers in a value, at any depth. */
export function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(leavesOf)
}

/** Returns patterns for the encodings of a secret, each at least as long as its matches. */
function patternsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const forms = [...formsOf(secret), bytes.toString('hex')]
  return [...forms.map(escapeForPattern), ...[0, 1, 2].map((before) => inBase64(bytes, before))]
}

/** Returns a text as it is and as JSON, URLs and HTML encode it. */
export function formsOf(text: string): string[] {
  const inJson = JSON.stringify(text).slice(1, -1)
  const inAscii = inJson.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const inUrl = encodeURIComponent(text.toWellFormed())
  return [text, inJson, inAscii, inUrl, inUrl.replaceAll('%20', '+'), inHtml(text)]
}

const BASE64_DIGIT = '[A-Za-z0-9+/_=-]?'

/**
 * Returns a pattern for the base64 of bytes that begin `before` bytes after a boundary of three. The digits at both ends vary,
 * since they contain bits of adjacent bytes.
 */
function inBase64(bytes: Buffer, before: number): string {
  const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url')
  const whole = digits.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
  const pattern = escapeForPattern(whole).replaceAll('_', '[_/]').replaceAll('\\-', '[-+]')
  return BASE64_DIGIT + pattern + BASE64_DIGIT
}

const escapeForPattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

const inHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
