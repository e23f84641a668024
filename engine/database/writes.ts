/** A statement that begins so and is no `with` only reads; one that calls a function which writes goes by a transaction. */
const READS = /^(?:\/\*[^*]*\*\/)?\s*(?:select|values|show)\b/i
const READS_OF_PARTS = /^(?:\/\*[^*]*\*\/)?\s*with\b/i
const WRITING_PART = /\b(?:insert\s+into|delete\s+from|update|merge\s+into)\s/i

/** Whether a statement may write, and so wait for its commit. What is in doubt counts as writing. */
export const mayWrite = (text: string): boolean =>
  !(READS.test(text) || (READS_OF_PARTS.test(text) && !WRITING_PART.test(text)))
