/** Reports whether a text is an integer of which a number may lose digits. */
export const isUnsafeInteger = (text: string) => /^-?\d{16,}$/.test(text) && !Number.isSafeInteger(Number(text))

/** Parses JSON as `JSON.parse` does, but leaves integers of which a number may lose digits as texts. */
export function parseExactJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_name, value: unknown, context?: { readonly source?: string }) => {
    const source = typeof value === 'number' ? context?.source : undefined
    return source !== undefined && isUnsafeInteger(source) ? source : value
  })
}
