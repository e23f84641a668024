import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { raw } from 'hono/html'
import { Marked } from 'marked'
import type { Html } from '../html.ts'

/** A page of advice beside the reference. */
export type Guide = { readonly name: string; readonly title: string; readonly main: Html }

type Source = { readonly name: string; readonly file: URL }

const DOCUMENTS = new URL('../../../docs/', import.meta.url)
const FOLDER = new URL('guides/', DOCUMENTS)

/** Documents that are guides too. */
const MORE = [
  { name: 'receiving-calls', file: new URL('webhooks.md', DOCUMENTS) },
  { name: 'json-api', file: new URL('json-api.md', DOCUMENTS) },
]

/** The guides in the order of their file names, with the service's own address in them. */
export function readGuides(baseUrl: string): Guide[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.md'))
  const sources: readonly Source[] = [
    // `1-getting-a-token.md` is the guide `getting-a-token`.
    ...files.sort().map((file) => ({ name: file.replace(/^\d+-|\.md$/g, ''), file: new URL(file, FOLDER) })),
    ...MORE.filter(({ file }) => existsSync(file)),
  ]
  return sources.map((source) => readGuide(source, sources, baseUrl))
}

/** The first line is the title. */
function readGuide({ name, file }: Source, sources: readonly Source[], baseUrl: string): Guide {
  const text = readFileSync(file, 'utf8').replaceAll('https://localhost:8443', baseUrl)
  const [heading = '', ...lines] = text.split('\n')
  const main = rendererFor(file, sources).parse(lines.join('\n'), { async: false })
  // The guides are ours, so their HTML is as good as a template's.
  return { name, title: heading.replace(/^# /, ''), main: raw(main) as Html }
}

/** Guides refer to each other by file, so that they can be read where they lie, too. */
const rendererFor = (file: URL, sources: readonly Source[]) =>
  new Marked({
    renderer: {
      code({ text, lang }) {
        return `<pre tabindex="0" aria-label="${lang ? 'Example' : 'Text'}"><code>${escaped(text)}</code></pre>\n`
      },
      table(token) {
        const cells = (row: readonly (typeof token.header)[number][], tag: string) =>
          `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        const rows = token.rows.map((row) => cells(row, 'td')).join('')
        const head = `<thead>${cells(token.header, 'th')}</thead>`
        return `<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>${head}<tbody>${rows}</tbody></table></div>\n`
      },
      link({ href, tokens }) {
        const label = this.parser.parseInline(tokens)
        if (!/\.md(#|$)/.test(href)) return `<a href="${escaped(href)}">${label}</a>`
        const target = new URL(href, file)
        const guide = sources.find((source) => source.file.pathname === target.pathname)
        return guide ? `<a href="/apidoc/guides/${guide.name}${target.hash}">${label}</a>` : label
      },
    },
  })

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
