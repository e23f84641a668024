import type { ReceivedWebhook } from './receiver.ts'

/** A webhook in a few lines for a developer, without the key and the password. */
export function describeWebhook(webhook: ReceivedWebhook, at: Date): string {
  const { method, path, id, isRepeat, about, missing, key, signature, status, body } = webhook
  const answer = status === undefined ? 'no answer, as you asked' : `answered ${status}`
  return [
    `${at.toISOString().slice(11, 19)}  ${method} ${path}  ${answer}`,
    `  id         ${id ?? 'missing'}${isRepeat ? '  (a repeat: you may drop it)' : ''}`,
    ...(about === undefined ? [] : [`  about      ${about}`]),
    ...(missing.length === 0 ? [] : [`  missing    ${missing.join(', ')}`]),
    `  ${about === undefined ? 'key   ' : 'secret'}     ${key}`,
    `  signature  ${signature}`,
    body === undefined ? '  The body is not JSON.' : JSON.stringify(hidden(body), null, 2).replace(/^/gm, '  '),
    '',
  ].join('\n')
}

function hidden(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  const shown: Record<string, unknown> = { ...body }
  if (typeof shown.key === 'string') shown.key = '(the key)'
  if (typeof shown.password === 'string') shown.password = `(a password of ${[...shown.password].length} characters)`
  return shown
}
