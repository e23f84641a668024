/**
 * The answer as far as a document shows it: of a record the shown fields, lists whole, and `…` where the document has it
 * for a number or for (a part of) a text. It equals what is shown when the document is true.
 */
export function asShown(answer: unknown, shown: unknown): unknown {
  if (typeof shown === 'string' && shown.includes('…')) return isLike(answer, shown) ? shown : answer
  if (Array.isArray(answer) && Array.isArray(shown)) return answer.map((item, index) => asShown(item, shown[index]))
  if (!isRecord(answer) || !isRecord(shown)) return answer
  const names = Object.keys(shown).filter((name) => name in answer)
  return Object.fromEntries(names.map((name) => [name, asShown(answer[name], shown[name])]))
}

function isLike(answer: unknown, shown: string): boolean {
  if (typeof answer !== 'string' && typeof answer !== 'number') return false
  const text = String(answer)
  const [head = '', tail = ''] = shown.split('…')
  return text.length > head.length + tail.length && text.startsWith(head) && text.endsWith(tail)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
