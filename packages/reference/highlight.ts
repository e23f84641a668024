import { type Html, raw } from '@campus/intranet/pages/html'
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import typescript from 'highlight.js/lib/languages/typescript'

const LANGUAGES = { bash, json, python, ruby, typescript } as const

export type CodeLanguage = keyof typeof LANGUAGES

for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

/** Other names of languages in guides. */
const ALIASES: Readonly<Record<string, CodeLanguage>> = { sh: 'bash', ts: 'typescript', js: 'typescript' }

/** Short names of the library's classes that have a colour. A page has thousands of them. */
const CLASSES: Readonly<Record<string, string>> = {
  'hljs-string': 's',
  'hljs-attr': 'a',
  'hljs-symbol': 'a',
  'hljs-keyword': 'k',
  'hljs-number': 'n',
  'hljs-literal': 'n',
  'hljs-comment': 'c',
  'hljs-variable': 'v',
  'hljs-subst': 'v',
}

/** Highlights a text. Returns plain text for other languages. */
export function highlighted(text: string, name: string | undefined): Html {
  const language = ALIASES[name ?? ''] ?? name ?? ''
  if (!Object.hasOwn(LANGUAGES, language)) return raw(escaped(text))
  return raw(slim(hljs.highlight(text, { language }).value))
}

/** Removes classes without a colour, and escapes of quotes, which are not needed between tags. */
function slim(marked: string): string {
  const open: boolean[] = []
  return marked
    .replace(/<span class="([\w-]+)[^"]*">|<\/span>/g, (_tag, name: string | undefined) => {
      if (name === undefined) return open.pop() ? '</span>' : ''
      const className = CLASSES[name]
      open.push(className !== undefined)
      return className === undefined ? '' : `<span class="${className}">`
    })
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
}

const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
