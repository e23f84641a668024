import type { ReceivedWebhook } from './receiver.ts'

/** A webhook in a few lines for a developer. */
export function describeWebhook(webhook: ReceivedWebhook, at: Date): string {
  const { method, path, id, isRepeat, about, faults, key, signature, status, body } = webhook
  const answer = status === undefined ? 'no answer, as you asked' : `answered ${status}`
  return [
    `${at.toISOString().slice(11, 19)}  ${method} ${path}  ${answer}`,
    `  id         ${id ?? 'missing'}${isRepeat ? '  (a repeat: you may drop it)' : ''}`,
    ...(about === undefined ? [] : [`  about      ${about}`]),
    ...(faults.length === 0 ? [] : [`  faults     ${faults.join(', ')}`]),
    `  ${about === undefined ? 'key   ' : 'secret'}     ${key}`,
    `  signature  ${signature}`,
    ...(body === undefined ? [] : [JSON.stringify(body, null, 2).replace(/^/gm, '  ')]),
    '',
  ].join('\n')
}
