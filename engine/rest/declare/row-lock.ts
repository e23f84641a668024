/** Lock on a row until the transaction ends: to change it, or to delete it or change its keys. */
export type RowLock = 'for no key update of t' | 'for update of t' | ''
