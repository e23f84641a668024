import type { Action, ReferenceResource } from './model.ts'

const ORDER = 'list show me graph search create create-several change delete'.split(' ')

/** Sorts actions that read before actions that write. Others keep the order of the document. */
export const inOrder = ({ actions }: ReferenceResource): readonly Action[] =>
  actions.toSorted((one, other) => rankOf(one) - rankOf(other))

function rankOf({ anchor }: Action): number {
  const rank = ORDER.indexOf(anchor)
  return rank === -1 ? ORDER.length : rank
}
