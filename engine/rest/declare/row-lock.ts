/** How a record is held until the transaction ends: to be changed, or to be deleted, when nothing may begin to refer to it either. */
export type RowLock = 'for no key update of t' | 'for update of t' | ''
