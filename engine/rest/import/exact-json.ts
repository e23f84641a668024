/** Reports whether a text is an integer that a JavaScript number cannot hold exactly. */
export const isUnsafeInteger = (text: string) => /^-?\d{16,}$/.test(text) && !Number.isSafeInteger(Number(text))

/** Parses JSON, but returns integers that a JavaScript number cannot hold exactly as strings. */
export function parseExactJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_name, value: unknown, context?: { readonly source?: string }) => {
    const source = typeof value === 'number' ? context?.source : undefined
    return source !== undefined && isUnsafeInteger(source) ? source : value
  })
}
