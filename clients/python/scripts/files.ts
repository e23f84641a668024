const at = (name: string) => new URL(`../src/campus_intranet/${name}`, import.meta.url)

/** Where the generated records, payloads and queries are kept. */
export const TYPES_FILE = at('types.py')
/** Where the generated methods are kept, one for each action of the API. */
export const OPERATIONS_FILE = at('operations.py')
