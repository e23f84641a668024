/** Statements that only read. Functions that write must be called in a transaction. */
const READS = /^(?:\/\*[^*]*\*\/)?\s*(?:select|values|show)\b/i
const READS_OF_PARTS = /^(?:\/\*[^*]*\*\/)?\s*with\b/i
const WRITING_PART = /\b(?:insert\s+into|delete\s+from|update|merge\s+into)\s/i

/** Reports whether a statement may write, and so wait for its commit. True in doubt. */
export const mayWrite = (text: string): boolean =>
  !(READS.test(text) || (READS_OF_PARTS.test(text) && !WRITING_PART.test(text)))
