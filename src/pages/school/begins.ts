const QUARTER_MS = 900_000

/**
 * The times at which something of this length could begin, each once: those after which slots follow on each other for all of
 * it. Whether they are one person's is not told, so that one of them may still be refused.
 */
export function beginsOf(slots: readonly { readonly begin_at: string }[], seconds: number): readonly Date[] {
  const offered = new Set(slots.map(({ begin_at }) => Date.parse(begin_at)))
  const quarters = Math.max(1, Math.ceil((seconds * 1000) / QUARTER_MS))
  const followed = (begin: number) =>
    Array.from({ length: quarters }, (_, index) => begin + index * QUARTER_MS).every((time) => offered.has(time))
  return [...offered].filter(followed).map((begin) => new Date(begin))
}
