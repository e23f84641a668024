/** Number of bytes in a MiB. Pages call it MB. */
export const MEBIBYTE = 1_048_576
