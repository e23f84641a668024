const MARK = '[redacted]'
/** Shorter texts are in every answer by chance; what carries one is not kept at all. */
const SHORTEST = 4
const NOT_KEPT = '(not kept: a key or password as short as ours cannot be told from other text)'

/**
 * The answer as text, without what we had sent in confidence: some receivers repeat their input in errors. Looks for each
 * secret as it is and as JSON, URLs, HTML and base64 would write it; of a cut answer the end goes, where half of one may be.
 */
export function redact(answer: Buffer, secrets: readonly string[], isCut: boolean): string {
  const present = secrets.filter((secret) => secret !== '')
  if (answer.length > 0 && present.some((secret) => secret.length < SHORTEST)) return NOT_KEPT
  const forms = [...new Set(present.flatMap(formsOf))].sort((a, b) => b.length - a.length)
  let text = answer.toString('utf8').replaceAll('\0', '')
  for (const form of forms) text = replaceAnyCase(text, form)
  if (!isCut || forms.length === 0) return text
  return text.slice(0, Math.max(0, text.length - (forms[0]?.length ?? 0)))
}

/** The texts in a value, at any depth; numbers as they are written. */
export function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(leavesOf)
}

function formsOf(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1)
  const inAscii = inJson.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const inUrl = encodeURIComponent(secret.toWellFormed())
  const bytes = Buffer.from(secret)
  return [
    ...[secret, inJson, inAscii, inUrl, inUrl.replaceAll('%20', '+'), inHtml(secret)],
    ...[bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url'), bytes.toString('hex')],
  ]
}

const inHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** `%c3` and `%C3` are the same, and a receiver may have put everything in capitals. */
const replaceAnyCase = (text: string, form: string) =>
  text.replace(new RegExp(form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'gi'), MARK)
