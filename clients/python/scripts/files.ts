/** The Python client. */
export const PROJECT_FOLDER = new URL('../', import.meta.url)
/** Its name, version and dependencies. */
export const PROJECT_FILE = new URL('pyproject.toml', PROJECT_FOLDER)
/** The published files. */
export const DIST_FOLDER = new URL('dist/', PROJECT_FOLDER)

const at = (name: string) => new URL(`src/campus_intranet/${name}`, PROJECT_FOLDER)

/** The file of generated records, payloads and queries. */
export const TYPES_FILE = at('types.py')
/** The file of generated methods, one for each action of the API. */
export const OPERATIONS_FILE = at('aio/operations.py')
/** The client for asyncio. */
export const ASYNC_FOLDER = at('aio/')
/** The client for threads, which is generated of it. */
export const SYNC_FOLDER = at('sync/')
