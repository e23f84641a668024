/**
 * Returns the properties that `<style>` elements set on an element by selectors of one tag, class or id. `read` is the
 * length of the declarations compared.
 */
export type StyleSheet = (name: string, attributes: Readonly<Record<string, string>>) => StyledProperties

type StyledProperties = { readonly properties: ReadonlyMap<string, string>; readonly read: number }

type Declared = { readonly value: string; readonly rank: number; readonly order: number }

/** Maximum length of the value of a property. A rule repeats its values for each element. */
export const MAX_VALUE_LENGTH = 256
const MAX_CLASSES = 20
const MAX_RULES = 2_000
/** Maximum total number of properties of all selectors. */
const MAX_PROPERTIES = 20_000
const SELECTOR = /^(\*|[a-z][\w-]*)?(?:([.#])([\w-]+))?$/i

/** Reads style sheets. Rules of other selectors and of media queries are left out, and so are properties without a reader. */
export function styleSheetOf(css: string, isKnown: (property: string) => boolean): StyleSheet {
  const rules = new Map<string, Map<string, Declared>>()
  let order = 0
  for (const { prelude, body } of blocksOf(withoutComments(css, '/*', '*/'))) {
    const declared = declarationsOf(body, isKnown)
    for (const selector of prelude.split(',').map((part) => part.trim())) {
      const [, tag, sign, word] = SELECTOR.exec(selector) ?? []
      if (tag === undefined && word === undefined) continue
      const rank = (sign === '#' ? 100 : sign === '.' ? 10 : 0) + (tag && tag !== '*' ? 1 : 0)
      const key = `${tag === '*' ? '' : (tag ?? '')}${sign ?? ''}${word ?? ''}` || '*'
      if (rules.size >= MAX_RULES || order >= MAX_PROPERTIES) break
      const properties = rules.get(key) ?? new Map<string, Declared>()
      rules.set(key, properties)
      for (const [property, value] of declared) properties.set(property, { value, rank, order: order++ })
    }
  }
  return (name, { id, class: classes = '' }) => {
    const found = new Map<string, Declared>()
    if (rules.size === 0) return { properties: new Map(), read: 0 }
    let read = 0
    const words = classes.split(/\s+/, MAX_CLASSES).filter((word) => word !== '')
    const parts = [...words.map((word) => `.${word}`), ...(id === undefined ? [] : [`#${id}`])]
    for (const key of ['*', name, ...parts.flatMap((part) => [part, `${name}${part}`])])
      for (const [property, declared] of rules.get(key) ?? []) {
        read += property.length + declared.value.length
        const former = found.get(property)
        if (!former || declared.rank > former.rank || (declared.rank === former.rank && declared.order > former.order))
          found.set(property, declared)
      }
    return { properties: new Map([...found].map(([property, { value }]) => [property, value])), read }
  }
}

/** Takes linear time, unlike a lazy regular expression on comments without an end. */
export function withoutComments(text: string, start: string, end: string): string {
  const parts: string[] = []
  let at = 0
  for (let from = text.indexOf(start); from >= 0; from = text.indexOf(start, at)) {
    parts.push(text.slice(at, from))
    const to = text.indexOf(end, from + start.length)
    if (to < 0) return parts.join(' ')
    at = to + end.length
  }
  return [...parts, text.slice(at)].join(' ')
}

/** Yields the blocks outside of at-rules. */
function* blocksOf(css: string): Generator<{ readonly prelude: string; readonly body: string }> {
  let depth = 0
  let start = 0
  let prelude = ''
  for (const { 0: brace, index } of css.matchAll(/[{}]/g)) {
    if (brace === '{') {
      if (depth === 0) {
        const text = css.slice(start, index)
        prelude = text.slice(text.lastIndexOf(';') + 1).trim()
        start = index + 1
      }
      depth += 1
    } else {
      depth = Math.max(0, depth - 1)
      if (depth > 0) continue
      if (!prelude.startsWith('@')) yield { prelude, body: css.slice(start, index) }
      start = index + 1
      prelude = '@'
    }
  }
}

/** Reads the declarations of a rule or of a `style` attribute. The last declaration of a property counts. */
export function declarationsOf(css: string, isKnown: (property: string) => boolean): Map<string, string> {
  const found = new Map<string, string>()
  for (const declaration of css.split(';')) {
    const colon = declaration.indexOf(':')
    const property = declaration.slice(0, Math.max(0, colon)).trim()
    const value = declaration
      .slice(colon + 1)
      .replace(/!\s*important\s*$/i, '')
      .trim()
    if (isKnown(property) && value.length <= MAX_VALUE_LENGTH) found.set(property, value)
  }
  return found
}
