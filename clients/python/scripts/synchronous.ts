/** Words of the client for asyncio → those of the client for threads. Names that begin with Async lose that. */
const WORDS: readonly (readonly [word: RegExp, other: string])[] = [
  [/\basync (def|for|with)\b/g, '$1'],
  [/\bawait /g, ''],
  [/\bAsyncGenerator\[(.+), None\]/g, 'Generator[$1, None, None]'],
  [/\bAwaitable\[(?:"(.+?)"|(\w+))\]/g, '$1$2'],
  [/\bAwaitable, /g, ''],
  [/\b__a(iter|enter|exit)__/g, '__$1__'],
  [/\baclose\b/g, 'close'],
  [/\baiter_bytes\b/g, 'iter_bytes'],
  [/\banext\b/g, 'next'],
  [/\basync_runtime\b/g, 'sync_runtime'],
  [/\bAsync(?=[A-Z])/g, ''],
]
const HEADING = '# Made from the same file of aio/ by "npm run generate -- python"; changes here are lost.\n'

/** A module of the client for threads, from that of the client for asyncio. */
export const synchronous = (module: string): string =>
  HEADING + WORDS.reduce((text, [word, other]) => text.replaceAll(word, other), module)
