import type { Language } from '@campus/intranet/settings/languages'
import { IntlMessageFormat } from 'intl-messageformat'

const [OPEN, SHUT] = ['⟦', '⟧'] as const

type Element = {
  readonly type: number
  readonly value: string
  readonly options?: Readonly<Record<string, { readonly value: readonly Element[] }>>
}

/**
 * Has this process put marks around each word that a language says, and around none of its values: what then stands
 * outside of them was not said. Call it before anything is said in that language.
 */
export async function markLanguage(language: Language): Promise<void> {
  const texts = (await language.load()).texts as Record<string, string>
  for (const [key, text] of Object.entries(texts)) texts[key] = marked(elementsOf(text))
}

const elementsOf = (message: string) =>
  new IntlMessageFormat(message, 'en', undefined, { ignoreTag: true }).getAst() as readonly Element[]

function marked(elements: readonly Element[]): string {
  return elements
    .map(({ type, value, options }) => {
      if (type === 0) return OPEN + value + SHUT
      if (type === 1) return `{${value}}`
      if (type === 2) return `{${value}, number}`
      if (type === 7) return '#'
      const ways = Object.entries(options ?? {}).map(([way, { value: inner }]) => `${way} {${marked(inner)}}`)
      return `{${value}, ${type === 6 ? 'plural' : 'select'}, ${ways.join(' ')}}`
    })
    .join('')
}

/** Attributes that people read or hear. */
const READ = /\b(?:aria-label|title|alt|placeholder|data-label)="([^"]*)"/g
/** Elements without a language: code, user input, times, names, and texts that name their language. */
const UNSPOKEN = /^(?:code|pre|time|style|script)\b|\bclass="(?:[^"]* )?code(?: [^"]*)?"| lang="| translate="no"/
const VOID = /^(?:area|br|col|hr|img|input|link|meta|source|wbr|line|rect|path)\b/

/** Returns the visible texts of a page outside of marked messages. */
export function unmarkedTexts(page: string): readonly string[] {
  const found: string[] = []
  let unspoken = 0
  for (const [piece] of page.slice(page.indexOf('<head')).matchAll(/<[^>]*>|[^<]+/g)) {
    if (!piece.startsWith('<')) {
      if (unspoken === 0) found.push(withoutMarks(piece))
      continue
    }
    const tag = piece.slice(1, -1)
    if (unspoken === 0 && !UNSPOKEN.test(tag))
      found.push(...[...tag.matchAll(READ)].map(([, text = '']) => withoutMarks(text)))
    if (VOID.test(tag) || tag.endsWith('/') || tag.startsWith('!')) continue
    if (tag.startsWith('/')) unspoken = Math.max(0, unspoken - 1)
    else if (unspoken > 0 || UNSPOKEN.test(tag)) unspoken += 1
  }
  return found.map((text) => decoded(text).trim()).filter((text) => /\p{L}/u.test(text))
}

const withoutMarks = (text: string) => text.replace(/⟦[^⟧]*⟧/g, ' ⟦⟧ ')

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const decoded = (text: string) => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[name] ?? '')
