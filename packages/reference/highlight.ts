import { type Html, raw } from '@campus/intranet/pages/html'
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import typescript from 'highlight.js/lib/languages/typescript'

const LANGUAGES = { bash, json, python, ruby, typescript } as const

/** What is shown in colour. */
export type CodeLanguage = keyof typeof LANGUAGES

for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

/** What a guide calls them. */
const ALSO: Readonly<Record<string, CodeLanguage>> = { sh: 'bash', ts: 'typescript', js: 'typescript' }

/** Of the library's classes those that have a colour, in a word of one letter: a page has thousands. */
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

/** A text in the colours of its language; as it stands where it has none. */
export function highlighted(text: string, name: string | undefined): Html {
  const language = ALSO[name ?? ''] ?? name ?? ''
  if (!Object.hasOwn(LANGUAGES, language)) return raw(escaped(text))
  return raw(slim(hljs.highlight(text, { language }).value))
}

/** Without the classes that have no colour, and with quotes as they are, which need no escape between tags. */
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
