import { defined } from '../defined.ts'
import { filled, inEnglish, type Message, message } from '../languages/say.ts'

const MAX_LENGTH = 80

export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length === 0 || name.length > MAX_LENGTH) return undefined
  const target = name.toLowerCase()
  // Allows one edit in a short name, and up to three in a long one.
  let minDistance = Math.min(3, Math.max(1, Math.floor(name.length / 3))) + 1
  let found: string | undefined
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - target.length) >= minDistance) continue
    const edits = editsBetween(target, candidate.toLowerCase())
    if (edits < minDistance) [minDistance, found] = [edits, candidate]
  }
  return found
}

export function suggesting(text: Message, name: string, candidates: Iterable<string>): Message {
  const near = nearest(name, candidates)
  if (near === undefined) return text
  return inEnglish(text).endsWith('.')
    ? message('{text} Did you mean "{near}"?', { text: filled(text), near })
    : message('{text}. Did you mean "{near}"?', { text: filled(text), near })
}

export function editsBetween(one: string, other: string): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1]
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      next[j] = Math.min(
        defined(row[j]) + 1,
        defined(next[j - 1]) + 1,
        defined(row[j - 1]) + (isSame ? 0 : 1),
        isSwapped ? defined(before[j - 2]) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = row
    row = next
  }
  return defined(row[other.length])
}
