/** Words in plain letters with dashes between; never digits alone, which would read as an id. */
export function slugOf(text: string): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .match(/[a-z0-9]+/g) ?? ['unnamed']
  const slug = words.join('-')
  return /^\d+$/.test(slug) ? `n-${slug}` : slug
}
