import type { Action, ReferenceResource } from './model.ts'

const ORDER: readonly string[] = [
  ...['list', 'show', 'me', 'graph', 'search'],
  ...['create', 'create-several', 'change', 'delete'],
]

/** What is read comes before what is written, as people learn it; the rest stays in the order of the document. */
export const inOrder = ({ actions }: ReferenceResource): readonly Action[] =>
  actions.toSorted((one, other) => rankOf(one) - rankOf(other))

function rankOf({ anchor }: Action): number {
  const rank = ORDER.indexOf(anchor)
  return rank === -1 ? ORDER.length : rank
}
