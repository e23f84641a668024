/** Where the generated types are kept. */
export const SCHEMA_FILE = new URL('../src/schema.ts', import.meta.url)
