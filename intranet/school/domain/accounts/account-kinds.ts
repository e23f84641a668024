/** Kinds of accounts. An `admin` sees the pages of staff. */
export const KINDS = ['student', 'admin', 'external'] as const
