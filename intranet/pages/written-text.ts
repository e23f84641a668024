import type { Token, Tokens } from 'marked'
import { type Html, html } from './html.ts'

/**
 * Limits of texts that are parsed, since the time of the Markdown parser grows quadratically. Longer texts are shown as
 * typed.
 */
export const MARKDOWN_LIMITS = { characters: 4_000, lines: 400, marks: 300 } as const

/** Matches a line with six nested quotes or list items. */
const TOO_DEEP = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){6}/m
const MARK = /[*_~`[\]!<>|&\\]/g

/**
 * Renders Markdown paragraphs, lists, emphasis, code, quotes and links. Shows everything else, above all HTML, as
 * typed, and a picture as its description.
 */
export async function writtenText(text: string): Promise<Html> {
  if (!isWithinLimits(text)) return html`<p class="lines">${text}</p>`
  const { lexer } = await import('marked') // Few pages show such texts.
  return html`${blocks(lexer(text, { gfm: true, breaks: true }))}`
}

function isWithinLimits(text: string): boolean {
  const { characters, lines, marks } = MARKDOWN_LIMITS
  if (text.length > characters || TOO_DEEP.test(text)) return false
  return (text.match(/\r\n?|\n/g)?.length ?? 0) < lines && (text.match(MARK)?.length ?? 0) <= marks
}

const blocks = (tokens: readonly Token[] = []): readonly Html[] => tokens.map(block)

function block(token: Token): Html {
  switch (token.type) {
    case 'space':
      return html``
    case 'hr':
      return html`<hr>`
    case 'paragraph':
      return html`<p>${inline(token.tokens)}</p>`
    case 'heading':
      return html`<p><strong>${inline(token.tokens)}</strong></p>`
    case 'blockquote':
      return html`<blockquote>${blocks(token.tokens)}</blockquote>`
    case 'code':
      return html`<pre tabindex="0">${token.text}</pre>`
    case 'list': {
      const list: Tokens.ListItem[] = token.items
      const items = list.map(({ tokens }) => html`<li>${blocks(tokens)}</li>`)
      return token.ordered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`
    }
    case 'text':
      return token.tokens ? html`${inline(token.tokens)}` : html`${token.raw}`
    default:
      return html`<p class="lines">${token.raw}</p>`
  }
}

const inline = (tokens: readonly Token[] = []): readonly Html[] => tokens.map(inlineOne)

function inlineOne(token: Token): Html {
  switch (token.type) {
    case 'strong':
      return html`<strong>${inline(token.tokens)}</strong>`
    case 'em':
      return html`<em>${inline(token.tokens)}</em>`
    case 'del':
      return html`<s>${inline(token.tokens)}</s>`
    case 'codespan':
      return html`<code>${token.text}</code>`
    case 'br':
      return html`<br>`
    case 'escape':
      return html`${token.text}`
    case 'text':
      return token.tokens ? html`${inline(token.tokens)}` : html`${token.raw}`
    case 'link': {
      const address = addressOf(token.href)
      return address === undefined
        ? html`${token.raw}`
        : html`<a href="${address}" rel="nofollow noopener noreferrer">${inline(token.tokens)}</a>`
    }
    case 'image':
      return html`${token.text}`
    default:
      return html`${token.raw}`
  }
}

/**
 * Returns the whole address of a page, since browsers resolve `https:/staff` within this site. Returns undefined for
 * other schemes.
 */
function addressOf(href: string): string | undefined {
  const url = URL.parse(href)
  return url && ['https:', 'http:'].includes(url.protocol) ? url.href : undefined
}
