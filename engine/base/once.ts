/**
 * Returns a function that makes a value at the first call and returns the same value from then on. If `make` throws or its promise
 * is rejected, the next call makes the value again.
 */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    if (made) return made.value
    const making = { value: make() }
    made = making
    if (making.value instanceof Promise)
      making.value.catch(() => {
        made = undefined
      })
    return making.value
  }
}
