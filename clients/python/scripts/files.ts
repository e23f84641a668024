/** The Python client. */
export const PROJECT_FOLDER = new URL('../', import.meta.url)
/** Its name, version and dependencies. */
export const PROJECT_FILE = new URL('pyproject.toml', PROJECT_FOLDER)
/** What is published of it. */
export const DIST_FOLDER = new URL('dist/', PROJECT_FOLDER)

const at = (name: string) => new URL(`src/campus_intranet/${name}`, PROJECT_FOLDER)

/** Where the generated records, payloads and queries are kept. */
export const TYPES_FILE = at('types.py')
/** Where the generated methods are kept, one for each action of the API. */
export const OPERATIONS_FILE = at('aio/operations.py')
/** The client for asyncio. */
export const ASYNC_FOLDER = at('aio/')
/** The client for threads, which is generated of it. */
export const SYNC_FOLDER = at('sync/')
