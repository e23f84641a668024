/** Who people are: an admin sees the staff's pages. */
export const KINDS = ['student', 'admin', 'external'] as const
