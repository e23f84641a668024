import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { defined } from '@campus/engine/base/defined'
import { mapped, type Slices } from '@campus/engine/base/slices'
import { shellWord } from '@campus/engine/base/text/shell-word'
import { type Html, html, raw } from '@campus/intranet/pages/html'
import { Marked, type Token, type Tokens } from 'marked'
import { code } from './code.ts'
import { slugOf } from './slug.ts'

export type Guide = {
  readonly name: string
  readonly title: string
  readonly main: Html
  readonly sections: readonly GuideSection[]
  readonly markdown: string
}

/** The text below a heading. The first section has no heading and no anchor. */
type GuideSection = { readonly anchor: string; readonly title: string; readonly text: string }

type Source = { readonly name: string; readonly file: URL }

const DOCUMENTS = new URL('../../docs/', import.meta.url)
const FOLDER = new URL('guides/', DOCUMENTS)

/** Documents that are guides too. */
const MORE = [
  { name: 'openid', file: new URL('openid.md', DOCUMENTS) },
  { name: 'receiving-calls', file: new URL('webhooks.md', DOCUMENTS) },
  { name: 'json-api', file: new URL('json-api.md', DOCUMENTS) },
]

/** Reads the guides in the order of their file names, with the address of the service and the certificate to trust. */
export function readGuides(baseUrl: string, certificate?: string): Slices<Guide[]> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.md'))
  const sources: readonly Source[] = [
    // `1-getting-a-token.md` is the guide `getting-a-token`.
    ...files.sort().map((file) => ({ name: file.replace(/^\d+-|\.md$/g, ''), file: new URL(file, FOLDER) })),
    ...MORE.filter(({ file }) => existsSync(file)),
  ]
  return mapped(sources, (source) => readGuide(source, sources, baseUrl, certificate))
}

function readGuide({ name, file }: Source, sources: readonly Source[], baseUrl: string, certificate?: string): Guide {
  const text = trusting(readFileSync(file, 'utf8').replaceAll('https://localhost:8443', baseUrl), certificate)
  const [heading = '', ...lines] = text.split('\n')
  const title = heading.replace(/^# /, '')
  const guideAt = (href: string) => guideOf(href, file, sources)
  const renderer = rendererFor(guideAt)
  const tokens = renderer.lexer(lines.join('\n'))
  return {
    name,
    title,
    // Guides are part of the service, so their HTML is trusted.
    main: raw(renderer.parser(tokens)),
    sections: sectionsOf(title, tokens),
    markdown: text.replace(/\]\(([^)\s]+\.md(?:#[^)]*)?)\)/g, (link, href: string) => {
      const guide = guideAt(href)
      return guide ? `](${baseUrl}/apidoc/guides/${guide.name}.md)` : link
    }),
  }
}

/** Lets the commands of a guide trust the certificate. */
function trusting(text: string, certificate: string | undefined): string {
  if (certificate === undefined) return text
  const word = shellWord(certificate)
  return text
    .replace(/^( *)export API=.*$/m, (line, indent) => `${line}\n${indent}export CURL_CA_BUNDLE=${word}`)
    .replace(/(?<=`export [A-Z_]+=)cert\.pem/g, () => word)
}

/** Finds the guide behind a relative link to a Markdown file. */
function guideOf(href: string, file: URL, sources: readonly Source[]) {
  if (!/\.md(#|$)/.test(href)) return undefined
  const target = new URL(href, file)
  const guide = sources.find((source) => source.file.pathname === target.pathname)
  return guide && { name: guide.name, hash: target.hash }
}

function sectionsOf(title: string, tokens: readonly Token[]): GuideSection[] {
  const sections = [{ anchor: '', title, text: '' }]
  for (const token of tokens) {
    const last = defined(sections.at(-1))
    if (token.type === 'heading') sections.push({ anchor: slugOf(token.text), title: plain(token.text), text: '' })
    else last.text += `${token.raw}\n`
  }
  return sections
}

const plain = (text: string) => text.replace(/[`*]/g, '')

const rendererFor = (guideAt: (href: string) => { readonly name: string; readonly hash: string } | undefined) =>
  new Marked({
    renderer: {
      code: ({ text, lang }) => `${code(text, lang, lang ? 'Example' : 'Text')}\n`,
      heading({ depth, text, tokens }) {
        const anchor = slugOf(text)
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)} <a class="anchor" href="#${anchor}" aria-label="Link to this part">#</a></h${depth}>\n`
      },
      table(token) {
        const cells = (row: readonly Tokens.TableCell[], tag: string) =>
          `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        const rows = token.rows.map((row) => cells(row, 'td')).join('')
        const head = `<thead>${cells(token.header, 'th')}</thead>`
        return `<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>${head}<tbody>${rows}</tbody></table></div>\n`
      },
      link({ href, tokens }) {
        const label = this.parser.parseInline(tokens)
        if (!/\.md(#|$)/.test(href)) return String(html`<a href="${href}">${raw(label)}</a>`)
        const guide = guideAt(href)
        return guide ? `<a href="/apidoc/guides/${guide.name}${guide.hash}">${label}</a>` : label
      },
    },
  })
