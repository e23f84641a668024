/** Collects the items of an async iterable. */
export async function arrayOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const array: T[] = []
  for await (const item of items) array.push(item)
  return array
}
